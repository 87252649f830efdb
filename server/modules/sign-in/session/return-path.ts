import { SIGN_IN_LIMITS } from '../limits.ts'

const SIGN_IN_PATH = '/sign-in'

/** Any origin: a path that is resolved against it must keep it. */
const OURS = 'http://bellhop.invalid'

/** A path of ours with its query, or undefined if a browser would leave our origin. */
export function returnPath(text: string | null | undefined): string | undefined {
  if (!text?.startsWith('/') || text.length > SIGN_IN_LIMITS.returnPathCharacters) return undefined
  const path = ownPath(text)
  // Resolving removes dots, after which `/.//evil.example` is another host: so the result is checked again.
  return path !== undefined && ownPath(path) === path ? path : undefined
}

function ownPath(text: string): string | undefined {
  if (!URL.canParse(text, OURS)) return undefined
  const { origin, pathname, search } = new URL(text, OURS)
  return origin === OURS ? pathname + search : undefined
}

/** The sign-in page that then returns to `returnTo`, if that is a path of ours. */
export function signInUrl(returnTo?: string): string {
  return withReturn(SIGN_IN_PATH, returnPath(returnTo))
}

export function withReturn(path: string, returnTo: string | undefined): string {
  return returnTo === undefined ? path : `${path}?return_to=${encodeURIComponent(returnTo)}`
}
