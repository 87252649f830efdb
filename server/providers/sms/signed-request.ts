import type { Clock } from '../../platform/clock.ts'
import { SMS_PROVIDER_LIMITS } from './limits.ts'
import type { SignedRequest } from './port.ts'

/** Empty when it is not there, or there twice. */
export function header({ headers }: SignedRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

/** Seconds since 1970, which are signed: a captured request is useless later. */
export function isRecent(timestamp: string, clock: Clock): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  return Math.abs(clock.now().getTime() - Number(timestamp) * 1000) <= SMS_PROVIDER_LIMITS.callbackAgeMs
}
