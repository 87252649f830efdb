import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { classes, DtlsClient, Message, methods, parseMessage, SrtpSession } from 'werift'

import { type MediaPlane, openMediaPlane } from '../../../test/harness/sound/media-plane.ts'
import { createTestClock, type TestClock } from '../../../test/harness/test-clock.ts'
import { type Certificate, createCertificate } from './certificate.ts'
import { bindingSuccess, readBindingRequest } from './stun.ts'

const REMOTE_UFRAG = 'them'
const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':')
const OFFER = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 8',
  'c=IN IP4 0.0.0.0',
  'a=mid:0',
  'a=rtcp-mux',
  'a=setup:actpass',
  `a=ice-ufrag:${REMOTE_UFRAG}`,
  `a=ice-pwd:${'w'.repeat(24)}`,
  `a=fingerprint:sha-256 ${FINGERPRINT}`,
  '',
].join('\r\n')

let clock: TestClock
let plane: MediaPlane
let sockets: Socket[]
beforeEach(() => {
  clock = createTestClock()
  plane = openMediaPlane({ clock, otherFamily: { host: '::1' } })
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.close()
  await plane.close()
})

describe('ICE checks', () => {
  test('are answered with their source address, authenticated with our password', async () => {
    const { answered } = await browserLeg()
    const at = await openSocket()
    const answer = await answered(at)
    expect(answer).toMatchObject({ messageClass: classes.RESPONSE, messageMethod: methods.BINDING })
    expect(answer.getAttributeValue('XOR-MAPPED-ADDRESS')).toEqual(['127.0.0.1', at.address().port])
  })

  test('are answered in both families, and the SDP has a candidate of each', async () => {
    const { answered, candidates } = await browserLeg()
    expect(candidates).toEqual([
      expect.stringMatching(/^1 1 udp 2130706431 127\.0\.0\.1 \d+ typ host$/),
      expect.stringMatching(/^2 1 udp 2130706175 ::1 \d+ typ host$/),
    ])
    const [over4, over6] = [await openSocket(), await openSocket('::1')]
    const to = { address: '::1', port: Number(candidates[1]!.split(' ')[5]) }
    const answer = await answered(over6, { to })
    const [mapped, port] = answer.getAttributeValue('XOR-MAPPED-ADDRESS') as [string, number]
    expect([plain(mapped), port]).toEqual([plain('::1'), over6.address().port])
    await answered(over4)
  })

  test.each(['2001:db8::5', '::1', 'fe80::1:2:3:4%eth0', '203.0.113.77'])(
    'from %s are answered with that address',
    (address) => {
      const read = readBindingRequest(request('us:them', 'secret').bytes)!
      const answer = parseMessage(
        bindingSuccess(read, { address, port: 54_321 }, 'secret'),
        Buffer.from('secret'),
      )
      const [mapped, port] = answer!.getAttributeValue('XOR-MAPPED-ADDRESS') as [string, number]
      expect(port).toBe(54_321)
      expect(plain(mapped)).toBe(plain(address.replace(/%.*/, '')))
    },
  )

  test('that are forged, or for another user, get no response', async () => {
    const { check, answered, ufrag, pwd, port } = await browserLeg()
    const at = await openSocket()
    const heard: Buffer[] = []
    at.on('message', (bytes) => heard.push(bytes))
    check(at, { pwd: 'x'.repeat(36) })
    check(at, { user: `nobody:${REMOTE_UFRAG}` })
    check(at, { user: `${ufrag}:unknown` })
    check(at, { user: ufrag })
    const torn = request(`${ufrag}:${REMOTE_UFRAG}`, pwd).bytes
    for (let length = 1; length < torn.length; length += 7)
      at.send(torn.subarray(0, length), port, '127.0.0.1')
    await answered(await openSocket())
    expect(heard).toEqual([])
  })

  test('of a controlled agent are answered with a role conflict', async () => {
    const { answered } = await browserLeg()
    const answer = await answered(await openSocket(), { controlled: true })
    expect(answer.messageClass).toBe(classes.ERROR)
    expect(answer.getAttributeValue('ERROR-CODE')[0]).toBe(487)
  })

  test('determine the media address: a browser that moves to another network is followed', async () => {
    const certificate = await createCertificate()
    const { answered, port, leg } = await browserLeg(certificate.fingerprint.value)
    const [wifi, cable] = [await openSocket(), await openSocket()]
    await answered(wifi, { chosen: true })
    const session = await shakeHands(certificate, wifi, port)
    await plane.event('leg.connected')
    const heard = { wifi: 0, cable: 0 }
    for (const [name, socket] of Object.entries({ wifi, cable })) {
      socket.on('message', (bytes) => {
        if (bytes[0] === 0x80 && bytes[1]! < 192 && session.decrypt(bytes))
          heard[name as keyof typeof heard]++
      })
    }
    await plane.media.play(leg, { tone: 'busy' })
    clock.advance(200)
    // The first packet is sent at once, and then one in each tick.
    await until(() => heard.wifi === 1 + 10)
    // A pair that is not nominated changes nothing.
    await answered(cable)
    clock.advance(200)
    await until(() => heard.wifi === 1 + 20)
    await answered(cable, { chosen: true })
    clock.advance(200)
    await until(() => heard.cable === 10)
    expect(heard.wifi).toBe(1 + 20)
  })

  test('move a call to the other family', async () => {
    const certificate = await createCertificate()
    const { answered, candidates, leg, port } = await browserLeg(certificate.fingerprint.value)
    const [wifi, mobile] = [await openSocket(), await openSocket('::1')]
    await answered(wifi, { chosen: true })
    await shakeHands(certificate, wifi, port)
    await plane.media.play(leg, { tone: 'busy' })
    const to = { address: '::1', port: Number(candidates[1]!.split(' ')[5]) }
    await answered(mobile, { to, chosen: true })
    const media = once(mobile, 'message') as Promise<[Buffer]>
    clock.advance(200)
    expect((await media)[0][0]).toBe(0x80)
  })

  test("do not help a peer with somebody else's certificate and without its key", async () => {
    const [stolen, own] = [await createCertificate(), await createCertificate()]
    const { answered, port } = await browserLeg(stolen.fingerprint.value)
    const at = await openSocket()
    await answered(at, { chosen: true })
    await shakeHands({ ...own, certPem: stolen.certPem }, at, port)
    expect(await plane.event('leg.lost')).toMatchObject({ why: 'dtls_failed' })
    expect(plane.events.filter(({ on }) => on === 'leg.connected')).toEqual([])
  })

  test('keep a browser alive; after 30 seconds without one, it is lost', async () => {
    const { answered, leg } = await browserLeg()
    const at = await openSocket()
    for (let i = 0; i < 5; i++) {
      await answered(at, { chosen: true })
      clock.advance(25_000)
    }
    expect(lost()).toEqual([])
    clock.advance(10_000)
    expect(lost()).toEqual([{ on: 'leg.lost', leg, why: 'consent_expired' }])
    clock.advance(60_000)
    expect(lost()).toHaveLength(1)
  })

  test('survive invalid packets on their port', async () => {
    const { answered, port } = await browserLeg()
    const at = await openSocket()
    await answered(at, { chosen: true })
    for (const first of [0, 1, 20, 22, 23, 63, 127, 128, 191, 255]) {
      for (let length = 1; length < 60; length++) {
        at.send(Buffer.alloc(length, (length * 37) & 0xff).fill(first, 0, 1), port, '127.0.0.1')
      }
    }
    await answered(at, { chosen: true })
  })
})

async function browserLeg(fingerprint = FINGERPRINT) {
  const created = await plane.media.createLeg({ offer: OFFER.replace(FINGERPRINT, fingerprint) })
  if (!created.ok) throw new Error(created.why)
  const [ufrag, pwd] = ['ufrag', 'pwd'].map(
    (name) => new RegExp(`^a=ice-${name}:(.*)$`, 'm').exec(created.sdp)![1]!,
  )
  const port = Number(/^m=audio (\d+)/m.exec(created.sdp)![1])
  const check = (
    from: Socket,
    { user = `${ufrag}:${REMOTE_UFRAG}`, pwd: password = pwd!, to, ...more }: Check = {},
  ) => {
    const { bytes, id } = request(user, password, more)
    from.send(bytes, to?.port ?? port, to?.address ?? '127.0.0.1')
    return id
  }
  return {
    leg: created.leg,
    candidates: [...created.sdp.matchAll(/^a=candidate:(.*)\r$/gm)].map(([, candidate]) => candidate!),
    port,
    ufrag: ufrag!,
    pwd: pwd!,
    check,
    async answered(from: Socket, how: Check = {}): Promise<Message> {
      const id = check(from, how)
      for (;;) {
        const [bytes] = (await once(from, 'message')) as [Buffer]
        const answer = parseMessage(bytes, Buffer.from(pwd!))
        if (answer?.transactionId.equals(id)) return answer
      }
    },
  }
}

/** The browser's side of DTLS, by another implementation; returns its SRTP session. */
async function shakeHands(certificate: Certificate, socket: Socket, port: number): Promise<SrtpSession> {
  const transport = {
    type: 'udp',
    address: ['', 0],
    closed: false,
    onData: (_bytes: Buffer) => {},
    send: async (bytes: Buffer) => socket.send(bytes, port, '127.0.0.1'),
    close: async () => {},
  }
  socket.on('message', (bytes) => {
    if (bytes[0]! >= 20 && bytes[0]! < 64) transport.onData(bytes)
  })
  const client = new DtlsClient({
    cert: certificate.certPem,
    key: certificate.keyPem,
    signatureHash: certificate.signatureHash as never,
    transport: transport as never,
    srtpProfiles: [1],
    extendedMasterSecret: true,
  })
  const connected = client.onConnect.asPromise()
  await client.connect()
  await connected
  const keys = client.extractSessionKeys(16, 14)
  return new SrtpSession({
    profile: 1,
    keys: {
      localMasterKey: keys.localKey,
      localMasterSalt: keys.localSalt,
      remoteMasterKey: keys.remoteKey,
      remoteMasterSalt: keys.remoteSalt,
    },
  })
}

interface Check {
  /** By default the address of the m= line. */
  to?: { address: string; port: number }
  user?: string
  pwd?: string
  chosen?: boolean
  controlled?: boolean
}

function request(user: string, password: string, { chosen = false, controlled = false }: Check = {}) {
  const message = new Message(methods.BINDING, classes.REQUEST)
  message.setAttribute('USERNAME', user)
  message.setAttribute('PRIORITY', 1)
  message.setAttribute(controlled ? 'ICE-CONTROLLED' : 'ICE-CONTROLLING', 7n)
  if (chosen) message.setAttribute('USE-CANDIDATE', null)
  message.addMessageIntegrity(Buffer.from(password)).addFingerprint()
  return { bytes: message.bytes, id: message.transactionId }
}

async function openSocket(host = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket(host === '::1' ? 'udp6' : 'udp4')
  sockets.push(socket)
  socket.bind(0, host)
  await once(socket, 'listening')
  return socket
}

const lost = () => plane.events.filter(({ on }) => on === 'leg.lost')

const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition(), condition.toString()).toBe(true), { timeout: 30_000, interval: 20 })

/** In canonical form. */
const plain = (text: string) => new URL(`http://${text.includes(':') ? `[${text}]` : text}`).hostname
