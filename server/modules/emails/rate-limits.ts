import type { Clock } from '../../platform/clock.ts'
import { sha256 } from '../../platform/crypto/crypto.ts'
import type { Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/net/client-network.ts'
import { countEmail, type EmailRateLimit, selectRefilledAt } from './queries.ts'

const MINUTE_MS = 60_000

/** Enough to invite two hundred people in a day; too little to flood a mailbox or to send advertisements. */
export const EMAIL_RATES = {
  company: { atOnce: 30, everyMs: 2 * MINUTE_MS },
  recipient: { atOnce: 5, everyMs: 120 * MINUTE_MS },
  /** A whole office, or an application that serves many companies, may share one. */
  network: { atOnce: 200, everyMs: MINUTE_MS / 2 },
} satisfies Record<string, EmailRateLimit>

/** The origin of a request that causes e-mails. */
export interface EmailOrigin {
  clock: Clock
  companyId: string
  /** The client's IP address. */
  address: string
}

/**
 * For e-mails to addresses that a client chooses: throws if one of them would exceed a limit, before anything is
 * stored. A rejected request does not count, because its transaction is rolled back.
 */
export async function requireEmailRate(
  tx: Tx,
  { clock, companyId, address }: EmailOrigin,
  recipients: string[],
): Promise<void> {
  // Sorted, so that concurrent requests with the same recipients do not deadlock.
  const sorted = recipients.map((to) => to.toLowerCase()).toSorted((a, b) => a.localeCompare(b))
  const subjects = sorted.flatMap((recipient): [keyof typeof EMAIL_RATES, string][] => [
    ['company', companyId],
    ['network', networkOf(address)],
    ['recipient', recipient],
  ])
  const now = clock.now()
  for (const [kind, of] of subjects) {
    const subject = sha256(`${kind} ${of}`)
    const rate = EMAIL_RATES[kind]
    if (await countEmail(tx, subject, now, rate)) continue
    const paidBackAt = (await selectRefilledAt(tx, subject)) ?? now
    throw tooManyEmails(paidBackAt.getTime() - (rate.atOnce - 1) * rate.everyMs - now.getTime())
  }
}

function tooManyEmails(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const minutes = Math.ceil(seconds / 60)
  return new AppError({
    status: 429,
    code: 'rate_limited',
    message: `Too many e-mails were requested. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    headers: { 'retry-after': String(seconds) },
  })
}
