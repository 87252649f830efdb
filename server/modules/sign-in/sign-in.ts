import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { createCookies } from './cookies.ts'
import { createGuard, type Guard } from './guard.ts'
import { createSessions, type Sessions } from './sessions.ts'

export interface SignIn extends Sessions {
  /** Makes a page's handler one that gets the session, for who is signed in. */
  signedIn: Guard
}

interface SignInParts {
  db: Database
  clock: Clock
  secret: string
  /** Whether people reach us by https. */
  secure: boolean
}

export function createSignIn({ db, clock, secret, secure }: SignInParts): SignIn {
  const sessions = createSessions({ db, clock, secret, cookies: createCookies({ secure }) })
  return { ...sessions, signedIn: createGuard(sessions) }
}
