import type { ReceptionReport } from './reception.ts'

/** RTCP reports of a leg (RFC 3550 §6). */
export interface SenderReport {
  atMs: number
  timestamp: number
  packets: number
  bytes: number
}

/** A report block, with the time of the other side's last report (LSR and DLSR). */
export interface ReportBlock extends ReceptionReport {
  lastReport: number
  sinceLastReport: number
}

export interface RtcpRead {
  /** The middle 32 bits of the sender's NTP time, which our next report returns. */
  senderTime?: number
  about: ReportBlock[]
  bye: boolean
}

const [SENDER_REPORT, RECEIVER_REPORT, DESCRIPTION, BYE] = [200, 201, 202, 203]
const NTP_EPOCH_SECONDS = 2_208_988_800
const BLOCK_BYTES = 24
const CNAME = 'bellhop'

/** A compound packet: a report, and the CNAME that is mandatory (RFC 3550 §6.1). */
export function writeReport(ssrc: number, sent: SenderReport | undefined, blocks: ReportBlock[]): Buffer {
  const head = sent ? 28 : 8
  const report = Buffer.alloc(head + blocks.length * BLOCK_BYTES)
  writeHead(report, sent ? SENDER_REPORT : RECEIVER_REPORT, blocks.length, ssrc)
  if (sent) {
    report.writeUInt32BE((Math.floor(sent.atMs / 1_000) + NTP_EPOCH_SECONDS) >>> 0, 8)
    report.writeUInt32BE(Math.floor(((sent.atMs % 1_000) / 1_000) * 2 ** 32), 12)
    report.writeUInt32BE(sent.timestamp, 16)
    report.writeUInt32BE(sent.packets >>> 0, 20)
    report.writeUInt32BE(sent.bytes >>> 0, 24)
  }
  blocks.forEach((block, i) => writeBlock(report, head + i * BLOCK_BYTES, block))
  return Buffer.concat([report, description(ssrc)])
}

export function writeBye(ssrc: number): Buffer {
  const bye = Buffer.alloc(8)
  writeHead(bye, BYE, 1, ssrc)
  return Buffer.concat([writeReport(ssrc, undefined, []), bye])
}

/** The relevant parts of a compound packet; undefined if it is not RTCP. */
export function readRtcp(bytes: Buffer): RtcpRead | undefined {
  const read: RtcpRead = { about: [], bye: false }
  for (let at = 0; at < bytes.length;) {
    if (bytes.length - at < 4 || bytes[at]! >> 6 !== 2) return undefined
    const length = (bytes.readUInt16BE(at + 2) + 1) * 4
    if (at + length > bytes.length) return undefined
    readPart(bytes.subarray(at, at + length), read)
    at += length
  }
  return bytes.length > 0 ? read : undefined
}

function readPart(part: Buffer, read: RtcpRead): void {
  const type = part[1]
  if (type === BYE) read.bye = true
  if (type !== SENDER_REPORT && type !== RECEIVER_REPORT) return
  const head = type === SENDER_REPORT ? 28 : 8
  if (part.length < head + (part[0]! & 0x1f) * BLOCK_BYTES) return
  if (type === SENDER_REPORT) read.senderTime = part.readUInt32BE(10)
  for (let i = 0; i < (part[0]! & 0x1f); i++) read.about.push(readBlock(part, head + i * BLOCK_BYTES))
}

/** The middle 32 bits of an NTP time: seconds and 65,536ths. */
export const compactNtp = (atMs: number): number =>
  Math.floor((atMs / 1_000 + NTP_EPOCH_SECONDS) * 65_536) % 2 ** 32

function writeHead(bytes: Buffer, type: number, count: number, ssrc: number): void {
  bytes[0] = 0x80 | count
  bytes[1] = type
  bytes.writeUInt16BE(bytes.length / 4 - 1, 2)
  bytes.writeUInt32BE(ssrc, 4)
}

function writeBlock(bytes: Buffer, at: number, block: ReportBlock): void {
  bytes.writeUInt32BE(block.ssrc, at)
  bytes.writeUInt32BE(((block.fractionLost << 24) | block.lost) >>> 0, at + 4)
  bytes.writeUInt32BE(block.highestSequence, at + 8)
  bytes.writeUInt32BE(block.jitter, at + 12)
  bytes.writeUInt32BE(block.lastReport, at + 16)
  bytes.writeUInt32BE(block.sinceLastReport, at + 20)
}

function readBlock(bytes: Buffer, at: number): ReportBlock {
  return {
    ssrc: bytes.readUInt32BE(at),
    fractionLost: bytes[at + 4]!,
    lost: bytes.readIntBE(at + 5, 3),
    highestSequence: bytes.readUInt32BE(at + 8),
    jitter: bytes.readUInt32BE(at + 12),
    lastReport: bytes.readUInt32BE(at + 16),
    sinceLastReport: bytes.readUInt32BE(at + 20),
  }
}

function description(ssrc: number): Buffer {
  // One chunk: SSRC, the CNAME item, and zeros up to a whole word.
  const item = Buffer.from([1, CNAME.length, ...Buffer.from(CNAME), 0])
  const bytes = Buffer.alloc(8 + Math.ceil(item.length / 4) * 4)
  writeHead(bytes, DESCRIPTION, 1, ssrc)
  item.copy(bytes, 8)
  return bytes
}
