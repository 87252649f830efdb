import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { copyFile, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { safeKey } from './key.ts'
import type { Storage } from './port.ts'

const MODE = 0o600

/** Files below a folder. */
export function localStorage(dir: string): Storage {
  const pathOf = (key: string) => join(dir, safeKey(key))

  async function replace(key: string, write: (draft: string) => Promise<void>): Promise<void> {
    const path = pathOf(key)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const draft = `${path}.${randomUUID()}.part`
    try {
      await write(draft)
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  return {
    put: (key, bytes) => replace(key, (draft) => writeFile(draft, bytes, { mode: MODE, flush: true })),
    putFile: (key, file) => replace(key, (draft) => copy(file, draft)),
    async size(key) {
      try {
        return (await stat(pathOf(key))).size
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async read(key, range) {
      return createReadStream(pathOf(key), range)
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}

async function copy(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  const copied = await open(to, 'r+')
  try {
    await copied.chmod(MODE)
    await copied.sync()
  } finally {
    await copied.close()
  }
}
