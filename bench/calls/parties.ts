import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const RTP = { headerBytes: 12, frameBytes: 160, frameMs: 20, pcma: 8 }
/** No other audio that a customer hears begins like this. */
const WORD = Buffer.from('so I said to her')

/** The customer and the phone of each call. */
export interface Parties {
  ports: { customer: number; phone: number }[]
  /** The phone sends to the edge at this port until the customer hears it: then the two are bridged. */
  heard(line: number, port: number): Promise<void>
  close(): void
}

interface PartiesOptions {
  /** How often the phone sends. */
  frameMs?: number
  /** The customer hears something else than the phone: the greeting. */
  onGreeting?: (line: number) => void
}

export async function startParties(
  lines: number,
  { frameMs = RTP.frameMs, onGreeting }: PartiesOptions = {},
): Promise<Parties> {
  const sockets: { customer: Socket; phone: Socket }[] = []
  const tell: (() => void)[] = []
  for (let line = 0; line < lines; line++) {
    const customer = await openSocket()
    customer.on('message', (bytes) => {
      if (bytes.indexOf(WORD, RTP.headerBytes) === RTP.headerBytes) tell[line]?.()
      else onGreeting?.(line)
    })
    sockets.push({ customer, phone: await openSocket() })
  }
  return {
    ports: sockets.map(({ customer, phone }) => ({
      customer: customer.address().port,
      phone: phone.address().port,
    })),
    heard(line, port) {
      return new Promise((resolve) => {
        let sequence = 0
        const talking = setInterval(
          () => sockets[line]!.phone.send(packet(sequence++), port, '127.0.0.1'),
          frameMs,
        )
        tell[line] = () => {
          clearInterval(talking)
          resolve()
        }
      })
    },
    close() {
      for (const { customer, phone } of sockets) for (const socket of [customer, phone]) socket.close()
    },
  }
}

async function openSocket(): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket.on('error', () => {})
}

function packet(sequence: number): Buffer {
  const bytes = Buffer.alloc(RTP.headerBytes + RTP.frameBytes, 0xd5)
  bytes.writeUInt8(0x80, 0)
  bytes.writeUInt8(RTP.pcma, 1)
  bytes.writeUInt16BE(sequence, 2)
  bytes.writeUInt32BE(sequence * RTP.frameBytes, 4)
  bytes.writeUInt32BE(1, 8)
  WORD.copy(bytes, RTP.headerBytes)
  return bytes
}
