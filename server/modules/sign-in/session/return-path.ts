import { LIMITS } from '../limits.ts'

const SIGN_IN_PATH = '/sign-in'

/** Any origin will do: what is resolved against it must stay with it. */
const OURS = 'http://bellhop.invalid'

/** A path of our own with its query, or undefined for whatever a browser would take as another place. */
export function returnPath(text: string | null | undefined): string | undefined {
  if (!text?.startsWith('/') || text.length > LIMITS.returnPathCharacters) return undefined
  const path = ownPath(text)
  // Resolving drops dots, after which `/.//evil.example` is another host: what is handed out is looked at again.
  return path !== undefined && ownPath(path) === path ? path : undefined
}

function ownPath(text: string): string | undefined {
  if (!URL.canParse(text, OURS)) return undefined
  const { origin, pathname, search } = new URL(text, OURS)
  return origin === OURS ? pathname + search : undefined
}

/** Where to sign in and then go on to `returnTo`, a path of ours; from elsewhere it is left out. */
export function signInUrl(returnTo?: string): string {
  return withReturn(SIGN_IN_PATH, returnPath(returnTo))
}

export function withReturn(path: string, returnTo: string | undefined): string {
  return returnTo === undefined ? path : `${path}?return_to=${encodeURIComponent(returnTo)}`
}
