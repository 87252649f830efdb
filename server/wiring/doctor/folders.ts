import { mkdtemp, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The folder, or the nearest one above it that exists: that is where it would be created. */
export async function existingFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined)
  return found || folder === dirname(folder) ? folder : existingFolder(dirname(folder))
}

/** Rejects if nothing can be created in the folder. It leaves nothing behind, not even a folder that is missing. */
export async function tryToWrite(folder: string): Promise<void> {
  await rmdir(await mkdtemp(join(await existingFolder(folder), '.doctor-')))
}
