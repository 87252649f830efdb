import { OAUTH_LIMITS } from '../limits.ts'

/**
 * Whether a client id is the URL of a Client ID Metadata Document: https, with a path, and in normalised form, so
 * that there is no doubt which document it names.
 */
export function isMetadataUrl(clientId: string): boolean {
  if (clientId.length > OAUTH_LIMITS.redirectUriCharacters || !URL.canParse(clientId)) return false
  const url = new URL(clientId)
  return (
    url.href === clientId &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.pathname !== '/' &&
    url.username === '' &&
    url.password === '' &&
    !clientId.includes('#')
  )
}
