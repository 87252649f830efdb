import { sha256 } from '../../../platform/crypto/crypto.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { ATTEMPT_RATE_LIMITS } from '../limits.ts'
import { countAttempt, deleteAttempts, selectNextAt, uncountAttempt } from './attempt-queries.ts'

/** What is rate-limited; the kind determines the limit. */
export interface RateLimitSubject {
  kind: keyof typeof ATTEMPT_RATE_LIMITS
  of: string
}

export type AttemptDecision = { ok: true } | { ok: false; waitSeconds: number }

/**
 * Counts an attempt before its outcome is known, so that concurrent attempts are counted too. While a subject has to
 * wait, nothing is counted: trying again does not extend the wait.
 */
export async function takeAttempt(
  db: Database,
  now: Date,
  subjects: RateLimitSubject[],
): Promise<AttemptDecision> {
  try {
    await db.tx(async (tx) => {
      for (const { kind, of } of subjects) {
        const subject = hashOf({ kind, of })
        if (await countAttempt(tx, subject, now, ATTEMPT_RATE_LIMITS[kind])) continue
        throw new MustWait((await selectNextAt(tx, subject)) ?? now)
      }
    })
    return { ok: true }
  } catch (error) {
    if (!(error instanceof MustWait)) throw error
    return { ok: false, waitSeconds: Math.max(1, Math.ceil((error.until.getTime() - now.getTime()) / 1000)) }
  }
}

/** Thrown to roll back what was counted so far. */
class MustWait extends Error {
  readonly until: Date

  constructor(until: Date) {
    super('must wait')
    this.until = until
  }
}

/** The attempt succeeded: resets the failures. */
export async function resetAttempts(tx: Tx, subject: RateLimitSubject): Promise<void> {
  await deleteAttempts(tx, hashOf(subject))
}

/** The attempt succeeded, but earlier failures of a shared subject, such as an address, still count. */
export async function refundAttempt(tx: Tx, subject: RateLimitSubject, now: Date): Promise<void> {
  await uncountAttempt(tx, hashOf(subject), now)
}

const hashOf = ({ kind, of }: RateLimitSubject) => sha256(`${kind} ${of}`)
