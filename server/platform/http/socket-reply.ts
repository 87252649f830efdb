import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

import type { AppError } from '../errors.ts'

/** Answers on a connection that no HTTP server holds, or holds no longer; then ends it. */
export function replyOnSocket(socket: Socket, error: AppError, standing: Record<string, string>): void {
  socket.write(responseOf(error, standing))
  socket.destroySoon()
}

/** The last response of a connection, as it goes over the wire. */
export function responseOf(
  { status, headers, body }: AppError,
  /** What every answer of this server carries. */
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
