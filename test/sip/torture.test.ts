import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import { parseMessage } from '../../server/sip/message/parse.ts'
import { printMessage } from '../../server/sip/message/print.ts'
import { loopbackTrunk, startAgent } from '../harness/sip/agent.ts'

const FOLDER = join(import.meta.dirname, 'torture')

/**
 * The messages of RFC 4475, byte by byte: how the parser reads each, where a number is the status of the refusal, and
 * how a user agent responds that knows the sender as a carrier. 480 is what its call control responds to every call; a
 * REGISTER is challenged for a password before anything else is checked.
 */
const TORTURE: Record<string, { section: string; parser: 'valid' | 400 | 505; answer: number | 'silence' }> =
  {
    wsinv: { section: '3.1.1.1', parser: 'valid', answer: 481 },
    intmeth: { section: '3.1.1.2', parser: 'valid', answer: 501 },
    esc01: { section: '3.1.1.3', parser: 'valid', answer: 480 },
    escnull: { section: '3.1.1.4', parser: 'valid', answer: 401 },
    esc02: { section: '3.1.1.5', parser: 'valid', answer: 501 },
    lwsdisp: { section: '3.1.1.6', parser: 'valid', answer: 200 },
    longreq: { section: '3.1.1.7', parser: 'valid', answer: 480 },
    dblreq: { section: '3.1.1.8', parser: 'valid', answer: 401 },
    semiuri: { section: '3.1.1.9', parser: 'valid', answer: 200 },
    transports: { section: '3.1.1.10', parser: 'valid', answer: 200 },
    mpart01: { section: '3.1.1.11', parser: 'valid', answer: 405 },
    unreason: { section: '3.1.1.12', parser: 'valid', answer: 'silence' },
    noreason: { section: '3.1.1.13', parser: 'valid', answer: 'silence' },
    badinv01: { section: '3.1.2.1', parser: 400, answer: 400 },
    clerr: { section: '3.1.2.2', parser: 400, answer: 400 },
    ncl: { section: '3.1.2.3', parser: 400, answer: 400 },
    scalar02: { section: '3.1.2.4', parser: 400, answer: 400 },
    scalarlg: { section: '3.1.2.5', parser: 400, answer: 'silence' },
    quotbal: { section: '3.1.2.6', parser: 400, answer: 400 },
    ltgtruri: { section: '3.1.2.7', parser: 400, answer: 400 },
    lwsruri: { section: '3.1.2.8', parser: 400, answer: 400 },
    lwsstart: { section: '3.1.2.9', parser: 400, answer: 400 },
    trws: { section: '3.1.2.10', parser: 400, answer: 400 },
    escruri: { section: '3.1.2.11', parser: 400, answer: 400 },
    // A recipient that does not need the date ignores it.
    baddate: { section: '3.1.2.12', parser: 'valid', answer: 480 },
    // The registrar checks Contact headers, and refuses.
    regbadct: { section: '3.1.2.13', parser: 'valid', answer: 401 },
    badaspec: { section: '3.1.2.14', parser: 400, answer: 400 },
    baddn: { section: '3.1.2.15', parser: 400, answer: 400 },
    badvers: { section: '3.1.2.16', parser: 505, answer: 505 },
    mismatch01: { section: '3.1.2.17', parser: 400, answer: 400 },
    mismatch02: { section: '3.1.2.18', parser: 400, answer: 400 },
    bigcode: { section: '3.1.2.19', parser: 400, answer: 'silence' },
    // A branch without content is matched by the rules of RFC 2543.
    badbranch: { section: '3.2.1', parser: 'valid', answer: 200 },
    insuf: { section: '3.3.1', parser: 400, answer: 400 },
    unkscm: { section: '3.3.2', parser: 'valid', answer: 416 },
    novelsc: { section: '3.3.3', parser: 'valid', answer: 416 },
    unksm2: { section: '3.3.4', parser: 'valid', answer: 401 },
    bext01: { section: '3.3.5', parser: 'valid', answer: 420 },
    invut: { section: '3.3.6', parser: 'valid', answer: 415 },
    regaut01: { section: '3.3.7', parser: 'valid', answer: 401 },
    multi01: { section: '3.3.8', parser: 400, answer: 400 },
    mcl01: { section: '3.3.9', parser: 400, answer: 400 },
    bcast: { section: '3.3.10', parser: 400, answer: 'silence' },
    zeromf: { section: '3.3.11', parser: 'valid', answer: 200 },
    cparam01: { section: '3.3.12', parser: 'valid', answer: 401 },
    cparam02: { section: '3.3.13', parser: 'valid', answer: 401 },
    regescrt: { section: '3.3.14', parser: 'valid', answer: 401 },
    sdp01: { section: '3.3.15', parser: 'valid', answer: 480 },
    inv2543: { section: '3.4.1', parser: 'valid', answer: 480 },
  }

const messages = Object.entries(TORTURE).map(([name, { section, parser, answer }]) => ({
  name,
  section,
  parser,
  answer,
}))

const bytesOf = (name: string) => readFile(join(FOLDER, `${name}.dat`))

test('the table has every message of RFC 4475', async () => {
  const files = (await readdir(FOLDER)).map((file) => file.replace('.dat', ''))
  expect(files.toSorted()).toEqual(messages.map(({ name }) => name).toSorted())
  expect(messages).toHaveLength(49)
})

describe('the parser', () => {
  test.each(messages)('finds $name ($section) $parser', async ({ name, parser }) => {
    const parsed = parseMessage(await bytesOf(name))
    expect(parsed.ok ? 'valid' : parsed.status, parsed.ok ? undefined : parsed.why).toBe(parser)
  })

  test.each(messages.filter(({ parser }) => parser === 'valid'))(
    'understands $name the same after printing it',
    async ({ name }) => {
      const first = parseMessage(await bytesOf(name))
      if (!first.ok) throw new Error(first.why)
      const again = parseMessage(printMessage(first.message))
      if (!again.ok) throw new Error(again.why)
      expect(printMessage(again.message).toString('latin1')).toBe(
        printMessage(first.message).toString('latin1'),
      )
      expect(again.message.body).toEqual(first.message.body)
    },
  )
})

describe('the user agent', () => {
  let userAgent: Awaited<ReturnType<typeof startAgent>>
  const http = createServer()
  beforeAll(async () => {
    userAgent = await startAgent({
      trunks: [loopbackTrunk('anyone', 5060)],
      onInvite: (call) => call.reject(480),
    })
    http.on('upgrade', userAgent.agent.upgrade).listen(0, '127.0.0.1')
    await once(http, 'listening')
  })
  afterAll(async () => {
    await userAgent.agent.close()
    http.close()
  })

  // Over a WebSocket, whose frames delimit messages, and on which responses return whatever the Via says.
  test.each(messages)('responds to $name with $answer', async ({ name, answer }) => {
    const socket = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}/sip`, 'sip')
    const received: string[] = []
    socket.on('message', (data: Buffer) => received.push(data.toString()))
    await once(socket, 'open')
    socket.send(await bytesOf(name), { binary: true })
    // A dropped message is dropped at once: the response to this one comes later.
    socket.send(PROBE)
    const expected = answer === 'silence' ? 1 : 2
    while (received.length < expected || !received.some(isProbe)) await once(socket, 'message')
    socket.close()
    const statuses = received.filter((text) => !isProbe(text)).map((text) => Number(text.split(' ')[1]))
    expect(statuses).toEqual(answer === 'silence' ? [] : [answer])
    expect(received.join('').toLowerCase()).not.toMatch(/^(server|user-agent):|bellhop\//m)
  })
})

const isProbe = (text: string) => text.includes('Call-ID: probe')

const PROBE =
  'OPTIONS sip:h SIP/2.0\r\nVia: SIP/2.0/WS h;branch=z9hG4bKprobe\r\nFrom: <sip:a@h>;tag=1\r\nTo: <sip:a@h>\r\n' +
  'Call-ID: probe\r\nCSeq: 1 OPTIONS\r\n\r\n'
