import { generateSecret, generateURI, verify } from 'otplib'

import { LIMITS } from '../limits.ts'

/** 160 bits, as RFC 4226 recommends; in base32. */
export const newTotpSecret = (): string => generateSecret()

/** What an authenticator app reads from the QR code. */
export const totpUri = (secret: string, email: string): string =>
  generateURI({ issuer: 'Bellhop', label: email, secret })

/** The 30-second step that the code belongs to, if it is a code of this secret and of about now. */
export async function stepOfCode(secret: string, code: string, now: Date): Promise<number | undefined> {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const epoch = Math.floor(now.getTime() / 1000)
  const result = await verify({ secret, token, epoch, epochTolerance: LIMITS.codeToleranceSeconds })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}
