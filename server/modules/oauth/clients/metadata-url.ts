import { LIMITS } from '../limits.ts'

/**
 * Whether a client id is the address of a Client ID Metadata Document: https, with a path, and written in the one
 * way that leaves no doubt which document it names.
 */
export function isMetadataUrl(clientId: string): boolean {
  if (clientId.length > LIMITS.redirectUriCharacters || !URL.canParse(clientId)) return false
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
