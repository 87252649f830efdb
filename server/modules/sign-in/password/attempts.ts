import { sha256 } from '../../../platform/crypto/crypto.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { PACES } from '../limits.ts'
import { countAttempt, deleteAttempts, selectNextAt, uncountAttempt } from './attempt-queries.ts'

/** Who tries what: the kind says how fast it may be tried. */
export interface Subject {
  kind: keyof typeof PACES
  of: string
}

export type Admission = { ok: true } | { ok: false; waitSeconds: number }

/**
 * Counts an attempt before its outcome is known, so that many at once are not looked at together. While one subject
 * has to wait, nothing is counted: whoever keeps trying waits no longer for it.
 */
export async function admit(db: Database, now: Date, subjects: Subject[]): Promise<Admission> {
  try {
    await db.tx(async (tx) => {
      for (const { kind, of } of subjects) {
        const subject = hashOf({ kind, of })
        if (await countAttempt(tx, subject, now, PACES[kind])) continue
        throw new MustWait((await selectNextAt(tx, subject)) ?? now)
      }
    })
    return { ok: true }
  } catch (error) {
    if (!(error instanceof MustWait)) throw error
    return { ok: false, waitSeconds: Math.max(1, Math.ceil((error.until.getTime() - now.getTime()) / 1000)) }
  }
}

/** Thrown to take back what was counted so far. */
class MustWait extends Error {
  readonly until: Date

  constructor(until: Date) {
    super('must wait')
    this.until = until
  }
}

/** The attempt succeeded: what failed before it no longer counts. */
export async function forgive(tx: Tx, subject: Subject): Promise<void> {
  await deleteAttempts(tx, hashOf(subject))
}

/** The attempt succeeded, but for others of the same subject (an address, say) what failed before still counts. */
export async function takeBack(tx: Tx, subject: Subject, now: Date): Promise<void> {
  await uncountAttempt(tx, hashOf(subject), now)
}

const hashOf = ({ kind, of }: Subject) => sha256(`${kind} ${of}`)
