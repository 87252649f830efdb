import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

import { speakInTurn } from './speak-in-turn.ts'

const HEADER_BYTES = 12
const PACKET_BYTES = HEADER_BYTES + 160
/** How long late packets are waited for before they count as lost. */
const STRAGGLE_MS = 1_000

/** Both ends of many calls: each sends a packet every 20 ms, which the other must receive. */
export interface Crowd {
  /** Where each party receives; parties 2n and 2n+1 talk to each other. */
  ports: number[]
  /** Where each party sends to. */
  connect(ports: number[]): void
  talk(ms: number): Promise<{ sent: number; delaysMs: number[] }>
  close(): void
}

export async function startCrowd(calls: number): Promise<Crowd> {
  const sockets: Socket[] = []
  for (let i = 0; i < calls * 2; i++) sockets.push(await openSocket())
  const packets = sockets.map((_, i) => firstPacket(i))
  let delaysMs: number[] = []
  for (const socket of sockets) {
    // The payload starts with the time at which it was sent.
    socket.on('message', (bytes) => {
      if (bytes.length === PACKET_BYTES) delaysMs.push(performance.now() - bytes.readDoubleBE(HEADER_BYTES))
    })
  }

  function say(party: number): void {
    const packet = Buffer.from(packets[party]!)
    packet.writeDoubleBE(performance.now(), HEADER_BYTES)
    sockets[party]!.send(packet)
    const next = packets[party]!
    next.writeUInt16BE((next.readUInt16BE(2) + 1) & 0xffff, 2)
    next.writeUInt32BE((next.readUInt32BE(4) + 160) >>> 0, 4)
  }

  return {
    ports: sockets.map((socket) => socket.address().port),
    connect: (ports) => sockets.forEach((socket, i) => socket.connect(ports[i]!, '127.0.0.1')),
    async talk(ms) {
      delaysMs = []
      const total = await speakInTurn(sockets.length, ms, say)
      const end = performance.now()
      while (delaysMs.length < total && performance.now() - end < STRAGGLE_MS) await pause(1)
      return { sent: total, delaysMs }
    },
    close() {
      for (const socket of sockets) socket.close()
    },
  }
}

async function openSocket(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.on('error', () => {})
  return socket
}

function firstPacket(party: number): Buffer {
  const packet = Buffer.alloc(PACKET_BYTES, 0xd5)
  packet.writeUInt16BE(0x8008, 0)
  packet.writeUInt16BE(0, 2)
  packet.writeUInt32BE(0, 4)
  packet.writeUInt32BE(party + 1, 8)
  return packet
}
