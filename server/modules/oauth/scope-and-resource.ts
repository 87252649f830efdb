import { OAuthError } from './errors.ts'
import { SCOPE } from './limits.ts'
import type { Parameters } from './parameters.ts'

export function scopeIsAllowed(scope: string): void {
  const scopes = scope.split(' ').filter(Boolean)
  if (scopes.length === 0 || scopes.some((one) => one !== SCOPE)) {
    throw new OAuthError('invalid_scope', `The only scope that applications are granted is ${SCOPE}.`)
  }
}

/**
 * RFC 8707. A client that was led here by another resource asks for a token for that one: it would hand our token to
 * a stranger, so it gets none.
 */
export function resourcesAreOurs(parameters: Parameters, issuer: string): void {
  for (const resource of parameters.getAll('resource')) {
    if (resource !== issuer && !resource.startsWith(`${issuer}/`)) {
      throw new OAuthError('invalid_target', 'The resource is not one of this service.')
    }
  }
}
