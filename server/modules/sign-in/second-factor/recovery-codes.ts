import { randomInt } from 'node:crypto'

import { sha256 } from '../../../platform/crypto/crypto.ts'
import { SIGN_IN_LIMITS } from '../limits.ts'

/** Crockford's alphabet: no letter that looks like a digit. 16 of them have 80 bits. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_LETTERS = 16

/** `7k2m-…`: for when the phone is lost. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: SIGN_IN_LIMITS.recoveryCodes }, newRecoveryCode)

function newRecoveryCode(): string {
  const letters = Array.from({ length: CODE_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]!)
  return letters.join('').replace(/.{4}(?!$)/g, '$&-')
}

/** As people type it: with or without dashes, in capitals, with an O for a zero. */
export function recoveryCodeHash(typed: string): Buffer | undefined {
  const code = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return code.length === CODE_LETTERS ? sha256(code) : undefined
}
