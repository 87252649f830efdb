import { createHmac, hkdfSync } from 'node:crypto'

import { randomToken, sameBytes } from '../../../platform/crypto/crypto.ts'
import { LIMITS } from '../limits.ts'
import type { Cookies } from './cookies.ts'

/**
 * A browser that has signed in before is remembered, for that employee alone: it has a pace of its own, so that
 * strangers who try passwords slow down other strangers and never the employee.
 */
export interface KnownBrowsers {
  /** The browser's name, if it has proven before to be this employee's. */
  nameOf(cookieHeader: string | undefined, employeeId: string): string | undefined
  /** A cookie to know it by. */
  remember(cookieHeader: string | undefined, employeeId: string): string
}

export function createKnownBrowsers({
  secret,
  cookies,
}: {
  secret: string
  cookies: Cookies
}): KnownBrowsers {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'bellhop known browsers', 32))
  const sign = (name: string, employeeId: string) =>
    createHmac('sha256', key).update(`${name}\n${employeeId}`).digest()

  const nameOf = (cookieHeader: string | undefined, employeeId: string) => {
    const [name = '', signature = ''] = cookies.read(cookieHeader, 'browser')?.split('.') ?? []
    return sameBytes(Buffer.from(signature, 'base64url'), sign(name, employeeId)) ? name : undefined
  }
  return {
    nameOf,
    remember(cookieHeader, employeeId) {
      const name = nameOf(cookieHeader, employeeId) ?? randomToken()
      const value = `${name}.${sign(name, employeeId).toString('base64url')}`
      return cookies.set('browser', value, LIMITS.knownBrowserMs)
    },
  }
}
