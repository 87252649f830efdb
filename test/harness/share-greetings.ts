import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { inject } from 'vitest'

/** Lets an installation find the default greetings that another one has synthesised in this run. */
export async function shareGreetings(dataDir: string): Promise<void> {
  const files = join(dataDir, 'files')
  await mkdir(files, { recursive: true })
  await symlink(inject('greetings'), join(files, 'greetings')).catch((error: NodeJS.ErrnoException) => {
    // The installation was started before.
    if (error.code !== 'EEXIST') throw error
  })
}

/** For a test that changes the stored greetings, or needs that none is stored. */
export async function keepOwnGreetings(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'files', 'greetings'))
}
