import { createHmac, hkdfSync } from 'node:crypto'

import type { Clock } from '../clock.ts'
import { sameBytes } from './crypto.ts'

export const FILES_PATH = '/files/'

/** URLs that give access to one file for a while without credentials, as a browser's audio player needs. */
export function createSignedLinks({ secret, clock }: { secret: string; clock: Clock }) {
  const signingKey = Buffer.from(hkdfSync('sha256', secret, '', 'bellhop signed links', 32))
  const sign = (key: string, expires: string) =>
    createHmac('sha256', signingKey).update(`${expires}\n${key}`).digest()
  return {
    /** The path and query of a link to the stored file. */
    to(key: string, lifeMs: number): string {
      const expires = String(Math.ceil((clock.now().getTime() + lifeMs) / 1000))
      return `${FILES_PATH}${key}?expires=${expires}&signature=${sign(key, expires).toString('base64url')}`
    },
    /** The key, if the link is ours and has not expired. */
    open(
      key: string,
      { expires, signature }: { expires?: unknown; signature?: unknown },
    ): string | undefined {
      if (typeof expires !== 'string' || typeof signature !== 'string') return undefined
      if (!sameBytes(Buffer.from(signature, 'base64url'), sign(key, expires))) return undefined
      return Number(expires) * 1000 > clock.now().getTime() ? key : undefined
    },
  }
}

export type SignedLinks = ReturnType<typeof createSignedLinks>
