import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

import type { AppError } from '../errors.ts'

/** Sends a response on a socket that no HTTP server owns, or no longer owns, and closes it. */
export function replyOnSocket(socket: Socket, error: AppError, standing: Record<string, string>): void {
  socket.write(responseOf(error, standing))
  socket.destroySoon()
}

/** The last response of a connection, as bytes on the wire. */
export function responseOf(
  { status, headers, body }: AppError,
  /** Header fields of every response of this server. */
  standing: Record<string, string>,
): string {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    ...standing,
    ...headers,
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`
}
