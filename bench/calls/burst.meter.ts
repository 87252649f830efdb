/**
 * Both sides of two running calls, in a process of their own: one through the service, the other through a relay that
 * only forwards datagrams, for comparison. Each side sends a packet every 20 ms. Measured is the longest gap in what
 * the other side hears, without the part that is due to this process sending late.
 */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setPriority } from 'node:os'

const FRAME_MS = 20
const HEADER_BYTES = 12
const PACKET_BYTES = HEADER_BYTES + 160

/** The longest gap of each call, and the packets of both that were lost, since the last question. */
export interface Gaps {
  gapMs: [service: number, relay: number]
  lost: [service: number, relay: number]
}

/** A meter that waits for the CPU would measure itself. */
try {
  setPriority(-20)
} catch {
  process.stderr.write(
    'without the right to a higher priority, the measured gaps include those of the meter\n',
  )
}

const sockets: Socket[] = []
for (let i = 0; i < 4; i++) sockets.push(await openSocket())
const gaps: Gaps = { gapMs: [0, 0], lost: [0, 0] }
let due = performance.now()
let count = 0

for (const [i, socket] of sockets.entries()) {
  let last: { count: number; transitMs: number } | undefined
  socket.on('message', (bytes) => {
    if (bytes.length !== PACKET_BYTES) return
    const transitMs = performance.now() - bytes.readDoubleBE(HEADER_BYTES)
    const heard = { count: bytes.readUInt32BE(HEADER_BYTES + 8), transitMs }
    if (last && heard.count > last.count) {
      const frames = heard.count - last.count
      const call = i >> 1
      gaps.gapMs[call] = Math.max(gaps.gapMs[call]!, frames * FRAME_MS + transitMs - last.transitMs)
      gaps.lost[call]! += frames - 1
    }
    last = heard
  })
}

function say(): void {
  for (; due <= performance.now(); due += FRAME_MS) {
    count++
    for (const [i, socket] of sockets.entries()) {
      const packet = Buffer.alloc(PACKET_BYTES, 0xd5)
      packet.writeUInt16BE(0x8008, 0)
      packet.writeUInt16BE(count & 0xffff, 2)
      packet.writeUInt32BE((count * 160) >>> 0, 4)
      packet.writeUInt32BE(i + 1, 8)
      packet.writeDoubleBE(performance.now(), HEADER_BYTES)
      packet.writeUInt32BE(count, HEADER_BYTES + 8)
      socket.send(packet)
    }
  }
  setTimeout(say, due - performance.now())
}

process.on('message', (message: { ports: number[] } | 'ports' | 'gaps') => {
  if (message === 'ports') return process.send!(sockets.map((socket) => socket.address().port))
  if (message === 'gaps') {
    process.send!(gaps)
    for (const call of [0, 1] as const) gaps.gapMs[call] = gaps.lost[call] = 0
    return
  }
  sockets.forEach((socket, i) => socket.connect(message.ports[i]!, '127.0.0.1'))
  due = performance.now()
  setTimeout(say, FRAME_MS)
  process.send!('talking')
})
process.on('SIGTERM', () => process.exit())

async function openSocket(): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket.on('error', () => {})
}
