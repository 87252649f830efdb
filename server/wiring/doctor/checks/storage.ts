import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { systemClock } from '../../../platform/clock.ts'
import type { Storage } from '../../../providers/storage/port.ts'
import { openStorage } from '../../../roles/shared.ts'
import type { Check } from '../check.ts'
import { ok, problem, warning } from '../finding.ts'
import { tryToWrite } from '../folders.ts'

/** A small file can be written, read and deleted. */
export const storageCheck: Check = {
  name: 'storage',
  async run({ config }) {
    const folder = join(config.dataDir, 'files')
    const place = config.s3 ? `the bucket ${config.s3.bucket} at ${config.s3.endpoint}` : folder
    try {
      const found = await stat(folder).catch(() => undefined)
      // A folder that this command created would belong to whoever runs it.
      if (config.s3 || found) await tryOut(openStorage(config, systemClock))
      else await tryToWrite(folder)
      if (found && !config.s3 && found.uid !== process.getuid?.())
        return [
          warning(
            `${folder} belongs to another user (uid ${found.uid}), so nobody knows whether Bellhop can write to it.`,
            'Run this as the user that runs Bellhop.',
          ),
        ]
      return [ok(`Files can be written to ${place}, read and deleted.`)]
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return [
        problem(
          `Files cannot be stored in ${place} (${code ?? message.split('\n', 1)[0]}): recordings and prompts are lost.`,
          config.s3
            ? 'Check S3_URL, S3_BUCKET and the access key, which must be allowed to read, write and delete.'
            : 'Make the folder writable for the user that runs Bellhop.',
        ),
      ]
    }
  },
}

async function tryOut(storage: Storage): Promise<void> {
  const key = `doctor-${randomUUID()}`
  const written = Buffer.from(key)
  await storage.put(key, written)
  try {
    const read = await buffer(await storage.read(key))
    if (!read.equals(written)) throw new Error('what is read is not what was written')
  } finally {
    await storage.remove(key)
  }
}
