import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

import { type Body, sdpBody } from '../../../server/sip/index.ts'

const RTP = { headerBytes: 12, frameBytes: 160, frameMs: 20, pcma: 8, silence: 0xd5 }
const WORD = { bytes: 16, begins: 'party ' }

/** One end of a call's media: repeats its own word, and records whose word it hears. */
export interface SoundSource {
  id: number
  sdp(): Body
  /** Sends to the address in this SDP. Returns that address. */
  talkTo(body: Body): string
  /** When it last heard the other's word, by `performance.now()`. */
  heardAt(other: SoundSource): number
  close(): void
}

export interface Sound {
  openParty(): Promise<SoundSource>
  close(): void
}

/** The media of all participants, driven by one timer. */
export function openSound(host: string): Sound {
  const talkers = new Set<() => void>()
  const parties = new Set<SoundSource>()
  const timer = setInterval(() => {
    for (const talk of talkers) talk()
  }, RTP.frameMs)
  let serial = 0

  async function openParty(): Promise<SoundSource> {
    const id = ++serial
    const socket = createSocket('udp4').bind(0, host)
    await once(socket, 'listening')
    socket.on('error', () => {})
    const heard = new Map<number, number>()
    socket.on('message', (bytes) => {
      const other = idIn(bytes)
      if (other !== undefined) heard.set(other, performance.now())
    })
    let talk: (() => void) | undefined
    const party: SoundSource = {
      id,
      sdp: () => sdpBody(sdpAt(socket)),
      talkTo({ bytes }) {
        const sdp = bytes.toString()
        const address = /^c=IN IP4 (\S+)/m.exec(sdp)![1]!
        if (talk) talkers.delete(talk)
        talk = talker(socket, id, { address, port: Number(/^m=audio (\d+)/m.exec(sdp)![1]) })
        talkers.add(talk)
        return address
      },
      heardAt: (other) => heard.get(other.id) ?? -Infinity,
      close() {
        if (!parties.delete(party)) return
        if (talk) talkers.delete(talk)
        socket.close()
      },
    }
    parties.add(party)
    return party
  }

  return {
    openParty,
    close() {
      clearInterval(timer)
      for (const party of parties) party.close()
    },
  }
}

/** Sends everything that is due: timers are late on a busy machine. */
function talker(socket: Socket, id: number, to: { address: string; port: number }): () => void {
  const packet = firstPacket(id)
  const since = performance.now()
  let sent = 0
  return () => {
    for (const due = (performance.now() - since) / RTP.frameMs; sent < due; sent++) {
      packet.writeUInt16BE(sent & 0xffff, 2)
      packet.writeUInt32BE((sent * RTP.frameBytes) >>> 0, 4)
      socket.send(Buffer.from(packet), to.port, to.address)
    }
  }
}

function firstPacket(id: number): Buffer {
  const packet = Buffer.alloc(RTP.headerBytes + RTP.frameBytes, RTP.silence)
  packet.writeUInt16BE(0x8000 | RTP.pcma, 0)
  packet.writeUInt32BE(id, 8)
  packet.write(`${WORD.begins}${id}`.padEnd(WORD.bytes), RTP.headerBytes, 'latin1')
  return packet
}

function idIn(bytes: Buffer): number | undefined {
  const word = bytes.toString('latin1', RTP.headerBytes, RTP.headerBytes + WORD.bytes)
  return word.startsWith(WORD.begins) ? Number(word.slice(WORD.begins.length)) : undefined
}

function sdpAt(socket: Socket): string {
  const { address, port } = socket.address()
  return [
    'v=0',
    `o=- 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP ${RTP.pcma}`,
    '',
  ].join('\r\n')
}
