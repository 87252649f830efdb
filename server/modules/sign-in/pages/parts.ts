import type { Clock } from '../../../platform/clock.ts'
import type { Vault } from '../../../platform/crypto.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Cookies } from '../cookies.ts'
import type { Guard } from '../guard.ts'
import type { KnownBrowsers } from '../known-browser.ts'
import type { Sessions } from '../sessions.ts'

/** What the pages of this module work with. */
export interface PageParts {
  db: Database
  clock: Clock
  vault: Vault
  cookies: Cookies
  browsers: KnownBrowsers
  sessions: Sessions
  signedIn: Guard
}
