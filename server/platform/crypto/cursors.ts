import { createHmac, hkdfSync } from 'node:crypto'

import { fieldError } from '../errors.ts'
import { sameBytes } from './crypto.ts'

/** Signed positions in a list. A cursor is valid only for the list it was made for. */
export interface Cursors {
  /** `list` identifies the company, the endpoint and every filter. */
  make(list: unknown[], position: string[]): string
  /** Throws if it is not one of ours for this list. */
  read(list: unknown[], cursor: string): string[]
}

export function createCursors(secret: string): Cursors {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'bellhop cursors', 32))
  const signed = (list: unknown[], position: Buffer) => {
    const hmac = createHmac('sha256', key).update(JSON.stringify(list)).update('\0').update(position)
    return `${position.toString('base64url')}.${hmac.digest('base64url')}`
  }
  return {
    make: (list, position) => signed(list, Buffer.from(JSON.stringify(position))),
    read(list, cursor) {
      const bytes = Buffer.from(cursor.split('.')[0]!, 'base64url')
      // Compared as text: decoding would ignore characters that are not base64.
      if (!sameBytes(Buffer.from(cursor), Buffer.from(signed(list, bytes))))
        throw fieldError('cursor', 'is not one that this list gave')
      return JSON.parse(bytes.toString()) as string[]
    },
  }
}
