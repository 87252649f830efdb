import { generateSecret, generateURI, verify } from 'otplib'

import { SIGN_IN_LIMITS } from '../limits.ts'

/** 160 bits, as RFC 4226 recommends; in base32. */
export const newTotpSecret = (): string => generateSecret()

/** The URI in the QR code for an authenticator app. */
export const totpUri = (secret: string, email: string): string =>
  generateURI({ issuer: 'Bellhop', label: email, secret })

/** The 30-second step of the code, if it is valid for this secret at about this time. */
export async function stepOfCode(secret: string, code: string, now: Date): Promise<number | undefined> {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const epoch = Math.floor(now.getTime() / 1000)
  const result = await verify({ secret, token, epoch, epochTolerance: SIGN_IN_LIMITS.codeToleranceSeconds })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}
