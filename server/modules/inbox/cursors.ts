import { createHmac, hkdfSync } from 'node:crypto'

import { sameBytes } from '../../platform/crypto.ts'
import { fieldError } from '../../platform/errors.ts'

/** Says where a list goes on. Whoever has one can use it only for the list that it was made for. */
export interface Cursors {
  /** `list` names the company, the endpoint and every filter. */
  make(list: unknown[], position: string[]): string
  /** Throws if it is not one of ours for this list. */
  read(list: unknown[], cursor: string): string[]
}

export function createCursors(secret: string): Cursors {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'bellhop cursors', 32))
  const sign = (list: unknown[], position: Buffer) =>
    createHmac('sha256', key).update(JSON.stringify(list)).update('\0').update(position).digest()
  return {
    make(list, position) {
      const bytes = Buffer.from(JSON.stringify(position))
      return `${bytes.toString('base64url')}.${sign(list, bytes).toString('base64url')}`
    },
    read(list, cursor) {
      const [position = '', signature = ''] = cursor.split('.')
      const bytes = Buffer.from(position, 'base64url')
      if (!sameBytes(Buffer.from(signature, 'base64url'), sign(list, bytes)))
        throw fieldError('cursor', 'is not one that this list gave')
      return JSON.parse(bytes.toString()) as string[]
    },
  }
}
