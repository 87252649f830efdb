import type { ClientRow } from './client-queries.ts'
import type { OAuthError } from './errors.ts'
import type { Parameters } from './parameters.ts'
import type { TokenAnswer } from './tokens.ts'

export interface GrantRequest {
  client: ClientRow
  parameters: Parameters
  /** When it reached us, before it waited for anything. */
  receivedAt: Date
  now: Date
}

/** A refusal is returned, not thrown, so that what is revoked on the way is kept. */
export type GrantOutcome = { answer: TokenAnswer } | { refusal: OAuthError }
