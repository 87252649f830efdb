import { hkdfSync } from 'node:crypto'

/** A secret for one purpose, the same in every process of the installation. */
export const derived = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `bellhop telephony ${purpose}`, 32))
