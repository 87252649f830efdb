import { createVault } from '../../platform/crypto/crypto.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { Page } from '../../platform/http/page.ts'
import { allSignInPages } from './pages/index.ts'
import { createCookies } from './session/cookies.ts'
import { createGuard, type Guard } from './session/guard.ts'
import { createKnownBrowsers } from './session/known-browser.ts'
import { createSessions, type Sessions } from './session/sessions.ts'

export interface SignIn extends Sessions {
  /** Restricts a page to signed-in employees, and passes the session to its handler. */
  signedIn: Guard
  pages: Page[]
}

interface SignInParts extends Dependencies<'db' | 'clock'> {
  secret: string
  /** Whether our public URL is https. */
  secure: boolean
}

export function createSignIn({ db, clock, secret, secure }: SignInParts): SignIn {
  const cookies = createCookies({ secure })
  const sessions = createSessions({ db, clock, secret, cookies })
  const signedIn = createGuard(sessions)
  const browsers = createKnownBrowsers({ secret, cookies })
  const vault = createVault(secret)
  const pages = allSignInPages({ db, clock, vault, cookies, browsers, sessions, signedIn })
  return { ...sessions, signedIn, pages }
}
