import type { Clock } from '../../platform/clock.ts'
import { sha256 } from '../../platform/crypto/crypto.ts'
import type { Tx } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/net/client-network.ts'
import { countEmail, type EmailRateLimit, selectRefilledAt } from './queries.ts'

const MINUTE_MS = 60_000

/** Two hundred people are invited within a day; nobody's mailbox is filled, and nobody sends advertisements by us. */
export const EMAIL_RATES = {
  company: { atOnce: 30, everyMs: 2 * MINUTE_MS },
  recipient: { atOnce: 5, everyMs: 120 * MINUTE_MS },
  /** Whole offices, and applications that serve many companies, come from one. */
  network: { atOnce: 200, everyMs: MINUTE_MS / 2 },
} satisfies Record<string, EmailRateLimit>

/** Who causes the letters. */
export interface EmailOrigin {
  clock: Clock
  companyId: string
  /** Where the request comes from, as an IP address. */
  address: string
}

/**
 * For letters that are sent because somebody names an address to us: throws when one of them would be too many, before
 * anything is stored. Nothing is counted of what is refused, since the transaction ends with it.
 */
export async function requireEmailRate(
  tx: Tx,
  { clock, companyId, address }: EmailOrigin,
  recipients: string[],
): Promise<void> {
  // In one order, so that two who write to the same people never wait for each other.
  const sorted = recipients.map((to) => to.toLowerCase()).toSorted((a, b) => a.localeCompare(b))
  const subjects = sorted.flatMap((recipient): [keyof typeof EMAIL_RATES, string][] => [
    ['company', companyId],
    ['network', networkOf(address)],
    ['recipient', recipient],
  ])
  const now = clock.now()
  for (const [kind, of] of subjects) {
    const subject = sha256(`${kind} ${of}`)
    const pace = EMAIL_RATES[kind]
    if (await countEmail(tx, subject, now, pace)) continue
    const paidBackAt = (await selectRefilledAt(tx, subject)) ?? now
    throw tooManyLetters(paidBackAt.getTime() - (pace.atOnce - 1) * pace.everyMs - now.getTime())
  }
}

function tooManyLetters(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const minutes = Math.ceil(seconds / 60)
  return new AppError({
    status: 429,
    code: 'rate_limited',
    message: `Too many e-mails were asked for. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    headers: { 'retry-after': String(seconds) },
  })
}
