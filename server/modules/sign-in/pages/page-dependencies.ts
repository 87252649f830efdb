import type { Clock } from '../../../platform/clock.ts'
import type { Vault } from '../../../platform/crypto/crypto.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Cookies } from '../session/cookies.ts'
import type { Guard } from '../session/guard.ts'
import type { KnownBrowsers } from '../session/known-browser.ts'
import type { Sessions } from '../session/sessions.ts'

/** What the pages of this module need. */
export interface SignInPageParts {
  db: Database
  clock: Clock
  vault: Vault
  cookies: Cookies
  browsers: KnownBrowsers
  sessions: Sessions
  signedIn: Guard
}
