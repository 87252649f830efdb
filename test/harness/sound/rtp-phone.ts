import { randomBytes, randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { createDecoder, createEncoder } from 'libopus-wasm'
import { RtpHeader, RtpPacket, SrtpSession } from 'werift'

import { decodeG711, encodeG711, type Law } from '../../../server/media/audio/g711.ts'
import { loudness, sine, toneShare } from './audio-analysis.ts'

export interface PhoneOptions {
  /** Opus alone, with telephone events of its clock rate, or a law of G.711. */
  codec?: Law | 'opus'
  /** Offers only SRTP, with keys in the SDP (SDES). */
  encrypted?: boolean
  /** Without telephone events, DTMF is sent in-band. */
  events?: boolean
  ptimeMs?: number
  /** The version of IP. */
  family?: 4 | 6
  /** At most so many packets are sent at once after this process was not scheduled; what else was due is not said. */
  burstMax?: number
}

/** rtpengine stops reading a socket that has had more than 50 packets waiting five times. */
export const RTPENGINE_BURST = 40

export interface HeardPacket {
  atMs: number
  packet: RtpPacket
  samples: Int16Array
}

const PATIENCE_MS = 30_000
/** A jitter buffer keeps that much. */
const LATE_MS = 60
const EVENTS = 101
const PAYLOAD_TYPE = { pcmu: 0, pcma: 8, opus: 96 }
export const LOOPBACK = { 4: '127.0.0.1', 6: '::1' } as const
const SUITE = 'AES_CM_128_HMAC_SHA1_80'

/** A phone on a UDP port that sends a tone and listens. It uses a third-party implementation of RTP and SRTP. */
export async function startPhone({
  codec: name = 'pcma',
  encrypted = false,
  events = true,
  ptimeMs = 20,
  family = 4,
  burstMax = process.env.MEDIA_PLANE === 'rtpengine' ? RTPENGINE_BURST : Infinity,
}: PhoneOptions = {}) {
  const socket = createSocket(`udp${family}`)
  const host = LOOPBACK[family]
  socket.bind(0, host)
  await once(socket, 'listening')
  const key = randomBytes(30)
  const payloadType = PAYLOAD_TYPE[name]
  const codec = name === 'opus' ? await openOpus(ptimeMs) : openG711(name)
  const clockRate = codec.ticks * 8_000
  const header = {
    ssrc: randomInt(2 ** 32 - 1),
    sequenceNumber: randomInt(2 ** 16),
    timestamp: randomInt(2 ** 32 - 1),
  }
  const heard: HeardPacket[] = []
  const rtcp: Buffer[] = []
  const watchers = new Set<() => void>()
  let remote: { address: string; port: number } | undefined
  let session: SrtpSession | undefined
  let remoteKey = Buffer.alloc(0)
  let speaking: { second: Int16Array; sample: number; startedMs: number; sent: number } | undefined
  let version = 0

  /** Undefined if it was not encrypted for us, as what is still on its way when the key changes. */
  function decrypt(bytes: Buffer): Buffer | undefined {
    try {
      return session ? session.decrypt(bytes) : bytes
    } catch {
      return undefined
    }
  }

  socket.on('message', (bytes) => {
    if (bytes[1]! >= 192 && bytes[1]! <= 223) {
      rtcp.push(bytes)
      return
    }
    const plain = decrypt(bytes)
    if (!plain) return
    const packet = RtpPacket.deSerialize(plain)
    const sound = packet.header.payloadType === payloadType
    const samples = sound ? codec.decode(packet.payload) : new Int16Array()
    heard.push({ atMs: performance.now(), packet, samples })
    for (const watch of watchers) watch()
  })

  function send(payload: Buffer, more: Partial<RtpHeader>): void {
    const rtp = new RtpHeader({ version: 2, payloadType, ...header, ...more })
    header.sequenceNumber = (header.sequenceNumber + 1) & 0xffff
    const bytes = session ? session.encrypt(payload, rtp) : new RtpPacket(rtp, payload).serialize()
    if (remote) socket.send(bytes, remote.port, remote.address)
  }

  function say(): void {
    if (!speaking) return
    const length = ptimeMs * 8
    // Sends every packet that is due, because timers are late on a busy machine.
    const due = Math.floor((performance.now() - speaking.startedMs) / ptimeMs) + 1
    const skipped = Math.max(0, due - speaking.sent - burstMax)
    speaking.sent += skipped
    header.timestamp = (header.timestamp + skipped * length * codec.ticks) >>> 0
    for (; speaking.sent < due; speaking.sent++) {
      const samples = speaking.second.slice(speaking.sample, speaking.sample + length)
      speaking.sample = (speaking.sample + length) % 8_000
      send(Buffer.from(codec.encode(samples)), { marker: speaking.sent === 0 })
      header.timestamp = (header.timestamp + length * codec.ticks) >>> 0
    }
  }
  const timer = setInterval(say, 10)

  /** Resolves as soon as the condition holds, which is checked with every packet. */
  function until<T>(what: string, condition: () => T | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => {
        watchers.delete(look)
        reject(new Error(`waited in vain for ${what}; heard ${heard.length} packets`))
      }, PATIENCE_MS)
      function look(): void {
        const found = condition()
        if (found === undefined || found === false) return
        watchers.delete(look)
        clearTimeout(timeout)
        resolve(found)
      }
      watchers.add(look)
      look()
    })
  }

  /** The last `ms` of audio; undefined while there is less since `from`. */
  function last(ms: number, from = 0): Int16Array | undefined {
    const parts: Int16Array[] = []
    let length = 0
    for (let i = heard.length - 1; i >= from && length < ms * 8; i--) {
      parts.unshift(heard[i]!.samples)
      length += heard[i]!.samples.length
    }
    return length < ms * 8 ? undefined : joined(parts).subarray(-ms * 8)
  }

  return {
    heard,
    rtcp,
    header,
    port: socket.address().port,
    /** Our SDP offer or answer. */
    sdp(direction = 'sendrecv'): string {
      const line = [payloadType, ...(events ? [EVENTS] : [])].join(' ')
      return [
        'v=0',
        `o=phone 1 ${++version} IN IP${family} ${host}`,
        's=-',
        `c=IN IP${family} ${host}`,
        't=0 0',
        `m=audio ${socket.address().port} RTP/${encrypted ? 'SAVP' : 'AVP'} ${line}`,
        ...(encrypted ? [`a=crypto:1 ${SUITE} inline:${key.toString('base64')}`] : []),
        ...(name === 'opus' ? [`a=rtpmap:${payloadType} opus/48000/2`] : []),
        ...(events ? [`a=rtpmap:${EVENTS} telephone-event/${clockRate}`] : []),
        'a=rtcp-mux',
        `a=${direction}`,
        '',
      ].join('\r\n')
    },
    /** The remote SDP offer or answer. */
    setRemote(sdp: string): void {
      const port = Number(/^m=audio (\d+)/m.exec(sdp)![1])
      remote = { address: /^c=IN IP[46] (\S+)/m.exec(sdp)![1]!, port }
      const theirs = Buffer.from(/^a=crypto:\d+ \S+_80 inline:(\S+)/m.exec(sdp)?.[1] ?? '', 'base64')
      if (!encrypted || (session && theirs.equals(remoteKey))) return
      remoteKey = theirs
      const keys = {
        localMasterKey: key.subarray(0, 16),
        localMasterSalt: key.subarray(16),
        remoteMasterKey: theirs.subarray(0, 16),
        remoteMasterSalt: theirs.subarray(16),
      }
      session = new SrtpSession({ profile: 1, keys })
    },
    say(hz: number): void {
      speaking = { second: secondOf(hz), sample: 0, startedMs: performance.now(), sent: 0 }
      say()
    },
    shutUp(): void {
      speaking = undefined
    },
    /** Sends digits as telephone events, three packets each. */
    press(digits: string): void {
      for (const digit of digits) {
        const event = '0123456789*#ABCD'.indexOf(digit)
        for (const frames of [1, 2, 3]) {
          const duration = frames * 160 * codec.ticks
          const end = frames === 3 ? 0x80 : 0
          send(Buffer.from([event, end | 10, duration >> 8, duration & 0xff]), { payloadType: EVENTS })
        }
        header.timestamp = (header.timestamp + 960 * codec.ticks) >>> 0
      }
    },
    sendNoise(bytes: Buffer): void {
      if (remote) socket.send(bytes, remote.port, remote.address)
    },
    /** Sends these samples in real time. */
    async recite(samples: Int16Array): Promise<void> {
      let startMs = performance.now()
      for (let at = 0; at < samples.length; at += 160) {
        const earlyMs = startMs + at / 8 - performance.now()
        if (earlyMs > 0) await new Promise((resume) => setTimeout(resume, earlyMs))
        // After a longer delay it goes on where it was: a jitter buffer would drop a part of a burst.
        if (earlyMs < -LATE_MS) startMs -= earlyMs
        send(Buffer.from(codec.encode(samples.subarray(at, at + 160))), {})
        header.timestamp = (header.timestamp + 160 * codec.ticks) >>> 0
      }
    },
    until,
    last,
    /** Waits until 400 ms of the audio received from now on are almost purely this tone. */
    hears(hz: number): Promise<Int16Array> {
      const from = heard.length
      return until(`${hz} Hz`, () => {
        const sound = last(400, from)
        return sound && loudness(sound) > 500 && toneShare(sound, hz) > 0.95 && sound
      })
    },
    sound: (from = 0) => joined(heard.slice(from).map(({ samples }) => samples)),
    close(): void {
      clearInterval(timer)
      socket.close()
      codec.close()
    },
  }
}

/** `ticks` of the RTP timestamp for each sample. */
const openG711 = (law: Law) => ({
  ticks: 1,
  encode: (samples: Int16Array) => encodeG711(law, samples),
  decode: (codes: Uint8Array) => decodeG711(law, codes),
  close: () => {},
})

async function openOpus(ptimeMs: number) {
  const audio = { sampleRate: 8_000, channels: 1 } as const
  const encoder = await createEncoder({ ...audio, frameSize: ptimeMs * 8, bitrate: 32_000, complexity: 0 })
  const decoder = await createDecoder(audio)
  return {
    ticks: 6,
    encode: (samples: Int16Array) => encoder.encode(samples),
    decode: (packet: Uint8Array) => decoder.decode(packet),
    close(): void {
      encoder.free()
      decoder.free()
    },
  }
}

const seconds = new Map<number, Int16Array>()

/** A second of a tone of so many whole hertz, and the beginning of the next: a packet that starts in it fits. */
function secondOf(hz: number): Int16Array {
  const known = seconds.get(hz) ?? sine(hz, 1.5)
  seconds.set(hz, known)
  return known
}

export type RtpPhone = Awaited<ReturnType<typeof startPhone>>

export function joined(parts: Int16Array[]): Int16Array {
  const samples = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    samples.set(part, at)
    at += part.length
  }
  return samples
}
