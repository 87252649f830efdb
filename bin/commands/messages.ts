import type { Command } from 'commander'

import { listCompanies } from '../../server/modules/company/index.ts'
import { countOlderTexts, sealedTexts } from '../../server/modules/messages/index.ts'
import { countOlderEvents, sealedEvents } from '../../server/modules/webhooks/index.ts'
import { createKeyRing, type KeyRing } from '../../server/platform/crypto/key-ring.ts'
import { reseal } from '../../server/platform/crypto/reseal.ts'
import type { Database } from '../../server/platform/db/database.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { messageKeys } from '../../server/wiring/message-keys.ts'
import { LIMITS } from '../limits.ts'
import { runLongOperatorCommand } from '../operator-command.ts'

export function addMessagesCommands(messages: Command): void {
  messages
    .command('reencrypt')
    .description('encrypt all texts with the newest key, so that older keys can be removed')
    .option('--batch <count>', 'how many at a time', batchOf)
    .action(({ batch }: { batch?: number }, command: Command) =>
      runLongOperatorCommand(command, async (db, { config, log }) => {
        const keys = await messageKeys(config, log)
        const { json: quiet } = command.optsWithGlobals<{ json?: boolean }>()
        const tell = quiet ? () => {} : (line: string) => process.stdout.write(`${line}\n`)
        const { reencrypted, left } = await reencrypt(db, createKeyRing(keys), { batchRows: batch, tell })
        if (left > 0)
          throw new OperatorError(
            `Re-encrypted ${reencrypted}, but ${left} are still under another key: that key is missing, or a process has not been restarted with the new keys, or the rows were in use. Run this again.`,
          )
        const key = keys[0]!.id
        return {
          json: { key, reencrypted },
          text: `Re-encrypted ${reencrypted}. Everything is under the key "${key}"; no other key is needed any more.`,
        }
      }),
    )
}

interface Pass {
  batchRows?: number
  tell(line: string): void
}

/** Repeats as long as that helps: rows may have been locked, or added, in the meantime. */
async function reencrypt(db: Database, ring: KeyRing, { batchRows, tell }: Pass) {
  const total = await countOlder(db, ring)
  let reencrypted = 0
  let told = 0
  const onBatch = (count: number) => {
    reencrypted += count
    const percent = Math.floor((reencrypted / Math.max(total, reencrypted)) * 100)
    if (percent > told) tell(`${percent} % (${reencrypted} of ${total})`)
    told = percent
  }
  for (let left = total; ;) {
    for (const { id } of await listCompanies(db.sql)) {
      await reseal(db, ring, sealedTexts(id, ring), { batchRows, onBatch })
      await reseal(db, ring, sealedEvents(id, ring), { batchRows, onBatch })
    }
    const still = await countOlder(db, ring)
    if (still === 0 || still >= left) return { reencrypted, left: still }
    left = still
  }
}

async function countOlder({ sql }: Database, ring: KeyRing): Promise<number> {
  let count = 0
  for (const { id } of await listCompanies(sql))
    count += (await countOlderTexts(sql, id, ring)) + (await countOlderEvents(sql, id, ring))
  return count
}

function batchOf(text: string): number {
  const count = Number(text)
  if (!Number.isInteger(count) || count < 1 || count > LIMITS.batchRowsMax)
    throw new OperatorError(`--batch must be a number from 1 to ${LIMITS.batchRowsMax}.`)
  return count
}
