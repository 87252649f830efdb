import { createHmac, hkdfSync } from 'node:crypto'

import { randomToken, sameBytes } from '../../../platform/crypto/crypto.ts'
import { SIGN_IN_LIMITS } from '../limits.ts'
import type { Cookies } from './cookies.ts'

/**
 * A browser that has signed in before is remembered, for that employee only: it has its own rate limit, so that
 * attackers who try passwords never slow down the employee.
 */
export function createKnownBrowsers({ secret, cookies }: { secret: string; cookies: Cookies }) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'bellhop known browsers', 32))
  const sign = (name: string, employeeId: string) =>
    createHmac('sha256', key).update(`${name}\n${employeeId}`).digest()

  const nameOf = (cookieHeader: string | undefined, employeeId: string) => {
    const [name = '', signature = ''] = cookies.read(cookieHeader, 'browser')?.split('.') ?? []
    return sameBytes(Buffer.from(signature, 'base64url'), sign(name, employeeId)) ? name : undefined
  }
  return {
    /** The browser's id, if it has signed in as this employee before. */
    nameOf,
    /** The cookie that identifies it. */
    remember(cookieHeader: string | undefined, employeeId: string): string {
      const name = nameOf(cookieHeader, employeeId) ?? randomToken()
      const value = `${name}.${sign(name, employeeId).toString('base64url')}`
      return cookies.set('browser', value, SIGN_IN_LIMITS.knownBrowserMs)
    },
  }
}

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>
