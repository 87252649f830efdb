import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import type { ServiceRecord } from '../../../server/sip/transport/resolve.ts'

const SRV = 33
const INTERNET = 1
const NO_SUCH_NAME = 3
const HEADER_BYTES = 12
/** A compression pointer to the name in the question (RFC 1035 §4.1.4). */
const NAME_OF_QUESTION = 0xc000 | HEADER_BYTES

/** A name server over UDP with SRV records only. */
export async function startNameServer(services: Record<string, ServiceRecord[]>) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const asked: string[] = []
  socket.on('message', (query, { port, address }) => {
    const name = readName(query)
    asked.push(name)
    socket.send(answer(query, services[name] ?? []), port, address)
  })
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() }
}

function readName(query: Buffer): string {
  const labels: string[] = []
  for (let at = HEADER_BYTES; query[at]! > 0; at += query[at]! + 1) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
  }
  return labels.join('.')
}

function answer(query: Buffer, records: ServiceRecord[]): Buffer {
  const questionEnd = query.indexOf(0, HEADER_BYTES) + 5
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (records.length > 0 ? 0 : NO_SUCH_NAME), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...records.map(writeRecord)])
}

function writeRecord({ name, port, priority, weight }: ServiceRecord): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)])
  const target = Buffer.concat([...labels, Buffer.from([0])])
  const head = Buffer.alloc(18)
  const fields = [NAME_OF_QUESTION, SRV, INTERNET, 0, 0, 6 + target.length, priority, weight, port]
  fields.forEach((value, i) => head.writeUInt16BE(value, i * 2))
  return Buffer.concat([head, target])
}
