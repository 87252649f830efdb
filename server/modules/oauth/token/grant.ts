import type { Clock } from '../../../platform/clock.ts'
import type { Parameters } from '../authorize/parameters.ts'
import type { Audience } from '../authorize/scope-and-resource.ts'
import type { ClientRow } from '../clients/client-queries.ts'
import type { OAuthError } from '../errors.ts'
import { OAUTH_LIMITS } from '../limits.ts'
import type { TokenResponse } from './tokens.ts'

export interface GrantRequest {
  client: ClientRow
  parameters: Parameters
  /** From its `resource`, if any. */
  audience: Audience | undefined
  /** When it arrived, before any waiting. */
  receivedAt: Date
  /** To be read once the grant is locked, which may take a while. */
  clock: Clock
}

/** If the code or token may have been stolen, its whole grant ends. */
export type GrantOutcome = { answer: TokenResponse } | { refusal: OAuthError; stolenGrantId?: string }

/**
 * Whether a request was already in progress when its code or token was first used. The response to that use is
 * delayed by `togetherMs`, so a request that arrives before cannot come from somebody who had it.
 */
export function isConcurrentUse(usedAt: Date, receivedAt: Date): boolean {
  return receivedAt.getTime() <= usedAt.getTime() + OAUTH_LIMITS.togetherMs
}
