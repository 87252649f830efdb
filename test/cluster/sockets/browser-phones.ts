import { createHash, randomBytes } from 'node:crypto'

import { WebSocket } from 'ws'

import { comeBack } from './come-back.ts'
import type { Person } from './seed.ts'

const REGISTRATION_SECONDS = 600
/** As JsSIP waits in the dashboard. */
const RETRY = { msMax: 10_000 }
const pauseMs = (tries: number) => Math.min(1_000 * (1 + Math.random() * 2 ** tries), RETRY.msMax)

export interface BrowserPhones {
  register(person: Person, source: string): Promise<void>
  registered(): number
  refused: Record<string, number>
  close(): void
}

/** SIP over WebSockets, as browsers speak it: they register, and come back by themselves. */
export function openBrowserPhones({ host, port }: { host: string; port: number }): BrowserPhones {
  const open = new Set<WebSocket>()
  const refused: Record<string, number> = {}
  const closing = new AbortController()
  let registered = 0

  function attempt(person: Person, source: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${host}:${port}/sip`, 'sip', {
        localAddress: source,
        perMessageDeflate: false,
      })
      const request = registration(person, host)
      let isRegistered = false
      socket.on('open', () => {
        open.add(socket)
        socket.send(request())
      })
      socket.on('message', (data: Buffer) => {
        const text = data.toString('latin1')
        const status = Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1])
        if (status === 401) return socket.send(request(text))
        if (status === 200 && !isRegistered) {
          isRegistered = true
          registered++
          resolve()
        } else if (status > 200) {
          socket.close()
          reject(new Error(`REGISTER: ${status}`))
        }
      })
      socket.on('error', (error) => reject(error))
      socket.on('close', () => {
        open.delete(socket)
        reject(new Error('closed'))
        if (!isRegistered) return
        registered--
        void comeBack({ attempt: () => attempt(person, source), pauseMs, closing: closing.signal, refused })
      })
    })
  }

  return {
    register: attempt,
    registered: () => registered,
    refused,
    close() {
      closing.abort()
      for (const socket of open) socket.terminate()
    },
  }
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

/** Makes the REGISTER, and repeats it with the password once it was challenged. */
function registration({ device }: Person, host: string): (challenge?: string) => string {
  const { username, password } = device!
  const [callId, tag] = [randomBytes(8).toString('hex'), randomBytes(4).toString('hex')]
  const uri = `sip:${host}`
  let cseq = 0
  return (challenge) => {
    const realm = /realm="([^"]*)"/.exec(challenge ?? '')?.[1]
    const nonce = /nonce="([^"]*)"/.exec(challenge ?? '')?.[1]
    const digest = md5(
      `${md5(`${username}:${realm}:${password}`)}:${nonce}:00000001:abc:auth:${md5(`REGISTER:${uri}`)}`,
    )
    const authorization =
      `Authorization: Digest username="${username}", realm="${realm}", nonce="${nonce}", uri="${uri}", ` +
      `response="${digest}", algorithm=MD5, qop=auth, nc=00000001, cnonce="abc"\r\n`
    return (
      `REGISTER ${uri} SIP/2.0\r\n` +
      `Via: SIP/2.0/WS ${tag}.invalid;branch=z9hG4bK${randomBytes(8).toString('hex')}\r\n` +
      `Max-Forwards: 70\r\nTo: <sip:${username}@${host}>\r\nFrom: <sip:${username}@${host}>;tag=${tag}\r\n` +
      `Call-ID: ${callId}\r\nCSeq: ${++cseq} REGISTER\r\n` +
      `Contact: <sip:${username}@${tag}.invalid;transport=ws>;expires=${REGISTRATION_SECONDS}\r\n` +
      `${challenge === undefined ? '' : authorization}Content-Length: 0\r\n\r\n`
    )
  }
}
