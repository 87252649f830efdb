import { mkdir, symlink } from 'node:fs/promises'
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
