import { statfs } from 'node:fs/promises'

import type { Check } from '../check.ts'
import { ok, problem, warning } from '../finding.ts'
import { existingFolder } from '../folders.ts'
import { DOCTOR_LIMITS } from '../limits.ts'

/** Free space for the data folder: e-mails, recordings in progress and, by default, the database and all files. */
export const diskSpace: Check = {
  name: 'disk-space',
  async run({ config: { dataDir } }) {
    const { bavail, bsize } = await statfs(await existingFolder(dataDir))
    const free = bavail * bsize
    const message = `${inWords(free)} are free for ${dataDir}.`
    if (free >= DOCTOR_LIMITS.diskWarningBytes) return [ok(message)]
    const action = 'Free some space, or move the data folder to a larger disk.'
    return [free < DOCTOR_LIMITS.diskProblemBytes ? problem(message, action) : warning(message, action)]
  },
}

const MIB = 1024 * 1024

const inWords = (bytes: number) =>
  bytes < 1024 * MIB ? `${Math.floor(bytes / MIB)} MiB` : `${Math.floor(bytes / MIB / 1024)} GiB`
