import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { afterFile } from '../after-file.ts'

export interface PushedMessage {
  browser: string
  headers: IncomingHttpHeaders
  /** The encrypted body. */
  body: Buffer
  /** As the browser decrypts it. */
  alert: { call: string; state: string; title: string; body: string }
}

/** A browser, as far as push services and their senders know it. */
export interface PushedBrowser {
  name: string
  subscription: { endpoint: string; p256dh: string; auth: string }
}

/**
 * A push service (RFC 8030) and the browsers behind it. It takes only messages that are signed for it (RFC 8292) and that
 * the browser can decrypt (RFC 8291). Closed after the file's tests.
 */
export async function openPushService() {
  const received: PushedMessage[] = []
  const refused: string[] = []
  const browsers = new Map<string, { ecdh: ReturnType<typeof createECDH>; auth: Buffer }>()
  const service = {
    url: '',
    received,
    /** Why requests were refused. */
    refused,
    /** Called for each valid message; the status that it is answered with. */
    answer: (() => 201) as (message: PushedMessage) => number | 'never' | Promise<number>,
    newBrowser(): PushedBrowser {
      const name = `browser-${browsers.size + 1}`
      const ecdh = createECDH('prime256v1')
      const keys = { p256dh: ecdh.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
      browsers.set(name, { ecdh, auth: Buffer.from(keys.auth, 'base64url') })
      return { name, subscription: { endpoint: `${service.url}/send/${name}?v=1`, ...keys } }
    },
  }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const name = /^\/send\/([\w-]+)\?v=1$/.exec(request.url!)?.[1]
    const browser = name && browsers.get(name)
    try {
      if (request.method !== 'POST' || !browser) throw new Error(`no browser at ${request.url}`)
      checkSender(request.headers.authorization, service.url)
      const alert = JSON.parse(decrypt(body, browser))
      const message = { browser: name, headers: request.headers, body, alert }
      received.push(message)
      const answer = await service.answer(message)
      if (answer !== 'never') response.writeHead(answer).end()
    } catch (error) {
      refused.push(String(error))
      response.writeHead(400).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  return service
}

export type PushService = Awaited<ReturnType<typeof openPushService>>

/** RFC 8292 §2 and §3. */
function checkSender(authorization = '', origin: string): void {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  if (!token || !key) throw new Error(`not signed: ${authorization}`)
  const [header, claims, signature] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const coordinate = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1, 33), y: coordinate(33, 65) }
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: createPublicKey({ format: 'jwk', key: jwk }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature!, 'base64url'),
  )
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims!, 'base64url').toString())
  if (!isSigned) throw new Error('wrong signature')
  if (aud !== origin) throw new Error(`meant for ${aud}`)
  if (!/^(mailto:.+@|https:)/.test(sub)) throw new Error(`nobody to complain to: ${sub}`)
  const day = 86_400
  const now = Date.now() / 1_000
  if (exp < now || exp > now + day) throw new Error(`valid until ${exp}`)
}

/** RFC 8291 §3.4, as a browser does it. */
export function decrypt(
  body: Buffer,
  { ecdh, auth }: { ecdh: ReturnType<typeof createECDH>; auth: Buffer },
): string {
  const salt = body.subarray(0, 16)
  const [recordBytes, idBytes] = [body.readUInt32BE(16), body.readUInt8(20)]
  const sender = body.subarray(21, 21 + idBytes)
  const record = body.subarray(21 + idBytes)
  if (body.length > 4_096 || record.length > recordBytes) throw new Error('too long')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
  const derive = (what: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${what}\0`), bytes))
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex((byte) => byte !== 0)
  if (padded[end] !== 2) throw new Error('no delimiter of the last record')
  return padded.toString('utf8', 0, end)
}
