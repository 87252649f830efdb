import { isIP } from 'node:net'

import { type Codecs, readCodecs } from './codecs.ts'
import {
  attributeValue,
  attributeValues,
  hasAttribute,
  type MediaLine,
  type SessionDescription,
} from './description.ts'
import { type Direction, directionOf, readDirection, sends } from './direction.ts'
import { readDtlsParameters, type RemoteDtlsParameters } from './dtls.ts'
import { refuseSdp, type SdpRefusal, type SdpResult } from './refusal.ts'
import { type CryptoAttribute, readCrypto } from './sdes.ts'

/** The media transport: plain RTP, SRTP with keys in SDP, or WebRTC. */
export type Transport = 'rtp' | 'sdes' | 'webrtc'

/**
 * Whether the media of a leg is encrypted if the other side leaves it to us: as it offers, only if it demands it (our
 * keys would be readable in the signalling), or always.
 */
export type EncryptionPolicy = 'if_offered' | 'if_demanded' | 'required'

export interface RtpAddress {
  address: string
  port: number
}

/** The audio line of the call, as the other side described it. */
export interface RemoteAudio {
  /** Its index, which every answer and later offer must keep. */
  line: number
  protocol: string
  transport: Transport
  codecs: Codecs
  direction: Direction
  rtp: RtpAddress
  rtcp: RtpAddress
  rtcpMux: boolean
  mid?: string
  crypto?: CryptoAttribute
  identity?: RemoteDtlsParameters
}

const TRANSPORTS: Readonly<Record<string, Transport>> = {
  'RTP/AVP': 'rtp',
  'RTP/AVPF': 'rtp',
  'RTP/SAVP': 'sdes',
  'RTP/SAVPF': 'sdes',
  'UDP/TLS/RTP/SAVP': 'webrtc',
  'UDP/TLS/RTP/SAVPF': 'webrtc',
}

/** RFC 2543 signalled hold with this address, and some phones still do. */
const NOWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** The first usable audio line. Phones offer an encrypted line and a plain one, in order of preference. */
export function chooseAudio(
  session: SessionDescription,
  policy: EncryptionPolicy,
): SdpResult<{ audio: RemoteAudio }> {
  let why: SdpRefusal = 'no_audio'
  for (const [index, line] of session.media.entries()) {
    if (line.kind !== 'audio' || line.port === 0) continue
    const read = permitted(readAudio(session, line, index), policy)
    if (read.ok) return read
    if (why === 'no_audio') why = read.why
  }
  return refuseSdp(why)
}

/** The version of IP of its address; undefined if it has none, as on hold, or chooses by ICE. */
export function familyOfAudio({ transport, rtp: { address } }: RemoteAudio): 4 | 6 | undefined {
  if (transport === 'webrtc' || NOWHERE.has(address)) return undefined
  return isIP(address) === 6 ? 6 : 4
}

function permitted(
  read: SdpResult<{ audio: RemoteAudio }>,
  policy: EncryptionPolicy,
): SdpResult<{ audio: RemoteAudio }> {
  if (!read.ok) return read
  if (policy === 'required' && read.audio.transport === 'rtp') return refuseSdp('no_crypto')
  return policy === 'if_demanded' ? { ok: true, audio: withoutOptionalKeys(read.audio) } : read
}

/** Keys on a plain line leave the encryption to us. */
export function withoutOptionalKeys(audio: RemoteAudio): RemoteAudio {
  if (audio.transport !== 'sdes' || transportOf(audio.protocol) !== 'rtp') return audio
  const { crypto: _, ...plain } = audio
  return { ...plain, transport: 'rtp' }
}

const transportOf = (protocol: string): Transport | undefined => TRANSPORTS[protocol.toUpperCase()]

export function readAudio(
  session: SessionDescription,
  line: MediaLine,
  index: number,
): SdpResult<{ audio: RemoteAudio }> {
  const transport = transportOf(line.protocol)
  if (!transport) return refuseSdp('protocol')
  const codecs = readCodecs(line)
  if (codecs.formats.length === 0) return refuseSdp('no_codec')
  const address = line.connection ?? session.connection
  if (!address || (transport !== 'webrtc' && !isIP(address))) return refuseSdp('no_address')
  const said = readDirection(line.attributes, session.attributes)
  const direction = NOWHERE.has(address) && transport !== 'webrtc' ? directionOf(sends(said), false) : said
  const rtp = { address: canonical(address), port: line.port }
  const rtcpMux = hasAttribute(line.attributes, 'rtcp-mux')
  const mid = attributeValue(line.attributes, 'mid')
  const audio: RemoteAudio = {
    line: index,
    protocol: line.protocol,
    transport,
    codecs,
    direction,
    rtp,
    rtcp: rtcpMux ? rtp : readRtcp(line, rtp),
    rtcpMux,
    ...(mid !== undefined && /^[!-~]{1,64}$/.test(mid) ? { mid } : {}),
  }
  return secured(audio, session, line)
}

function secured(
  audio: RemoteAudio,
  session: SessionDescription,
  line: MediaLine,
): SdpResult<{ audio: RemoteAudio }> {
  if (audio.transport !== 'webrtc') {
    const crypto = attributeValues(line.attributes, 'crypto')
      .map(readCrypto)
      .find((read) => read !== undefined)
    // Many phones put keys on a plain line, so that a peer without encryption can ignore them.
    if (crypto) return { ok: true, audio: { ...audio, transport: 'sdes', crypto } }
    return audio.transport === 'rtp' ? { ok: true, audio } : refuseSdp('no_crypto')
  }
  if (!audio.rtcpMux) return refuseSdp('no_rtcp_mux')
  const read = readDtlsParameters(line, session)
  return read.ok ? { ok: true, audio: { ...audio, identity: read.identity } } : read
}

/** As sockets name the senders of packets (RFC 5952). */
const canonical = (address: string) =>
  isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address

/** RFC 3605; by default the next port. */
function readRtcp(line: MediaLine, rtp: RtpAddress): RtpAddress {
  const [port, , , address] = (attributeValue(line.attributes, 'rtcp') ?? '').split(/ +/)
  const given = /^\d{1,5}$/.test(port ?? '') ? Number(port) : 0
  return {
    address: address && isIP(address) ? canonical(address) : rtp.address,
    port: given > 0 && given <= 65_535 ? given : Math.min(rtp.port + 1, 65_535),
  }
}
