import type { Parameters } from '../authorize/parameters.ts'
import type { Audience } from '../authorize/scope-and-resource.ts'
import type { ClientRow } from '../clients/client-queries.ts'
import type { OAuthError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { TokenAnswer } from './tokens.ts'

export interface GrantRequest {
  client: ClientRow
  parameters: Parameters
  /** What it names as `resource`, if anything. */
  audience: Audience | undefined
  /** When it reached us, before it waited for anything. */
  receivedAt: Date
  now: Date
}

/** What was presented may have been stolen: then all that was granted with it ends. */
export type GrantOutcome = { answer: TokenAnswer } | { refusal: OAuthError; stolenGrantId?: string }

/**
 * Whether a request was under way when what it presents was first used. The answer to that use leaves only after
 * `togetherMs`, so what arrives until then cannot have been sent by one who had it.
 */
export function isTogether(usedAt: Date, receivedAt: Date): boolean {
  return receivedAt.getTime() <= usedAt.getTime() + LIMITS.togetherMs
}
