import { randomInt } from 'node:crypto'

import type { Vault } from '../../platform/crypto/crypto.ts'

/** Without letters and digits that look alike, because people type it on the keys of a phone: 58 bits per ten. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CHARACTERS = 20

export const newDevicePassword = (): string =>
  Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]!).join('')

/** Binds a sealed password to its device. */
const context = (username: string) => `device password ${username}`

export const sealDevicePassword = (vault: Vault, username: string, password: string): Buffer =>
  vault.seal(password, context(username))

export const openDevicePassword = (
  vault: Vault,
  { username, password_sealed }: { username: string; password_sealed: Buffer },
): string => vault.open(password_sealed, context(username))
