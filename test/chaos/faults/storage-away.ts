import { mkdir, rename, rm, writeFile } from 'node:fs/promises'

import type { Fault } from './fault.ts'

/**
 * The directory of recordings and synthesised audio cannot be used: a file is in its place, which fails for root too.
 */
export const storageAway: Fault = {
  name: 'storage-away',
  async run({ world: { stage }, hold }) {
    const { filesFolder } = stage
    const away = `${filesFolder}.away`
    await mkdir(filesFolder, { recursive: true })
    await rename(filesFolder, away)
    await writeFile(filesFolder, '')
    await hold(3_000, 15_000)
    await rm(filesFolder)
    await rename(away, filesFolder)
  },
}
