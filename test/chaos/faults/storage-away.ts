import { mkdir, rename, rm, writeFile } from 'node:fs/promises'

import type { Fault } from './fault.ts'

/** The folder of recordings and generated audio cannot be used: in its place is a file, on which even root stumbles. */
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
