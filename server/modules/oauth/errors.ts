import { AppError } from '../../platform/errors.ts'

/** Error codes with their statuses; those of registration and `resource` are from RFC 7591 and RFC 8707. */
const STATUSES = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unauthorized_client: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  rate_limited: 429,
} as const

export type OAuthErrorCode = keyof typeof STATUSES

/** An error in the format of RFC 6749: `{error, error_description}`. */
export class OAuthError extends AppError {
  readonly description: string

  constructor(code: OAuthErrorCode, description: string, headers: Record<string, string> = {}) {
    const status = STATUSES[code]
    super({
      status,
      code,
      body: { error_description: description },
      headers: { ...(status === 401 && CHALLENGE), ...headers },
    })
    this.name = 'OAuthError'
    this.description = description
  }
}

const CHALLENGE = { 'www-authenticate': 'Bearer error="invalid_token"' }
