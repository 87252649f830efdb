import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

import { Application, Bandwidth, createEncoder } from 'libopus-wasm'

import { encodeG711 } from '../../server/media/audio/g711.ts'
import { FRAME_MS, speakInTurn } from './speak-in-turn.ts'

const SECONDS = 4
const PCMA = { payloadType: 8, rate: 8_000 }
const OPUS = { payloadType: 111, rate: 48_000 }

/** Both ends of calls. They talk all the time, and count what they hear. */
export interface Talkers {
  /** Where each party receives; parties 2n and 2n+1 talk to each other. */
  ports: number[]
  /** Where each party sends to. */
  connect(ports: number[]): void
  talk(ms: number): Promise<{ sent: number; heard: number }>
  close(): void
}

/** The second party of each call may have Opus: telephone audio, as we ask for, or the full bandwidth all the same. */
export type TalkersKind = 'g711' | 'opus' | 'opus_full_band'

export async function startTalkers(calls: number, kind: TalkersKind): Promise<Talkers> {
  const g711 = framesOf(PCMA.rate).map((frame) => encodeG711('pcma', frame))
  const opus = kind === 'g711' ? [] : await opusPackets(kind)
  const sockets: Socket[] = []
  let heard = 0
  for (let i = 0; i < calls * 2; i++) sockets.push(await openSocket(() => heard++))
  const said = sockets.map(() => 0)

  function say(party: number): void {
    const isOpus = kind !== 'g711' && party % 2 === 1
    const { payloadType, rate } = isOpus ? OPUS : PCMA
    const payloads = isOpus ? opus : g711
    const number = said[party]!++
    const header = Buffer.alloc(12)
    header.writeUInt16BE(0x8000 | payloadType, 0)
    header.writeUInt16BE(number & 0xffff, 2)
    header.writeUInt32BE((number * ((rate * FRAME_MS) / 1_000)) >>> 0, 4)
    header.writeUInt32BE(party + 1, 8)
    sockets[party]!.send([header, payloads[(number + party) % payloads.length]!])
  }

  return {
    ports: sockets.map((socket) => socket.address().port),
    connect: (ports) => sockets.forEach((socket, i) => socket.connect(ports[i]!, '127.0.0.1')),
    async talk(ms) {
      heard = 0
      const total = await speakInTurn(sockets.length, ms, say)
      return { sent: total, heard }
    },
    close() {
      for (const socket of sockets) socket.close()
    },
  }
}

async function openSocket(onPacket: () => void): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.on('error', () => {})
  return socket.on('message', onPacket)
}

/** As Chromium encodes a microphone. */
async function opusPackets(kind: TalkersKind): Promise<Uint8Array[]> {
  const encoder = await createEncoder({
    application: Application.Voip,
    sampleRate: 48_000,
    channels: 1,
    fec: true,
    ...(kind === 'opus' ? { bitrate: 24_000, maxBandwidth: Bandwidth.Narrowband } : { bitrate: 32_000 }),
  })
  const packets = framesOf(OPUS.rate).map((frame) => encoder.encode(frame))
  encoder.free()
  return packets
}

/** Vowels of a voice whose pitch moves, with a little noise and a pause after each. */
function framesOf(rate: number): Int16Array[] {
  const samples = new Int16Array(SECONDS * rate)
  let [phase, noise] = [0, 1]
  for (let i = 0; i < samples.length; i++) {
    const seconds = i / rate
    phase += (2 * Math.PI * (120 + 40 * Math.sin(3 * seconds))) / rate
    const loudness = Math.max(0, Math.sin(5 * seconds))
    let voice = 0
    for (let harmonic = 1; harmonic <= 24; harmonic++) voice += Math.sin(harmonic * phase) / harmonic
    noise = (noise * 1_103_515_245 + 12_345) % 2_147_483_648
    samples[i] = 6_000 * loudness * voice + 400 * (noise / 1_073_741_824 - 1)
  }
  const length = (rate * FRAME_MS) / 1_000
  return Array.from({ length: samples.length / length }, (_, i) =>
    samples.subarray(i * length, (i + 1) * length),
  )
}
