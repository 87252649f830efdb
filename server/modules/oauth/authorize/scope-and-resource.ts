import { OAuthError } from '../errors.ts'
import { SCOPE } from '../scope.ts'
import type { Parameters } from './parameters.ts'

export function scopeIsAllowed(scope: string): void {
  const scopes = scope.split(' ').filter(Boolean)
  if (scopes.length === 0 || scopes.some((one) => one !== SCOPE)) {
    throw new OAuthError('invalid_scope', `The only scope that applications are granted is ${SCOPE}.`)
  }
}

/** What a token is valid for. */
export type Audience = 'everything' | 'mcp'

/** RFC 8707: the union of all `resource` parameters; undefined if there are none. */
export function audienceAskedFor(parameters: Parameters, issuer: string): Audience | undefined {
  const named = parameters.getAll('resource').map((resource) => audienceOf(resource, issuer))
  if (named.length === 0) return undefined
  return named.includes('everything') ? 'everything' : 'mcp'
}

/**
 * A client that another resource directed to us requests a token for that resource. It would send our token to a
 * third party, so it gets none.
 */
function audienceOf(resource: string, issuer: string): Audience {
  const address = addressOf(resource)
  if (address === addressOf(issuer)) return 'everything'
  if (address !== undefined && address === addressOf(`${issuer}/mcp`)) return 'mcp'
  throw new OAuthError('invalid_target', `The resource must be ${issuer} or ${issuer}/mcp.`)
}

/** Normalises equal URLs: letter case of the host, default port, trailing slash. */
function addressOf(text: string): string | undefined {
  if (!/^[A-Za-z0-9\-._~:/%[\]]+$/.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/$/, '')
}

/** Limits a token request to what the employee granted. */
export function narrowedTo(asked: Audience | undefined, granted: Audience): Audience {
  if (asked === 'everything' && granted === 'mcp') {
    throw new OAuthError('invalid_target', 'The resource is more than was asked for at the beginning.')
  }
  return asked ?? granted
}
