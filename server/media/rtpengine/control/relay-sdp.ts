import assert from 'node:assert/strict'

import { eventsOf, readCodecs } from '../../sdp/codecs.ts'
import {
  type Attribute,
  attributeValues,
  type MediaLine,
  type SessionDescription,
} from '../../sdp/description.ts'
import { reversed } from '../../sdp/direction.ts'
import { type LocalDtlsParameters, readDtlsParameters } from '../../sdp/dtls.ts'
import type { NegotiatedAudio } from '../../sdp/negotiate.ts'
import { parseSdp } from '../../sdp/parse.ts'
import { printSdp } from '../../sdp/print.ts'
import type { Transport } from '../../sdp/remote-audio.ts'
import { readCrypto, type Suite } from '../../sdp/sdes.ts'

/** Our side of a leg at rtpengine: what its SDP says about where it listens, and with which keys. */
export interface RelayEnd {
  address: string
  port: number
  rtcpPort: number
  keys: Record<Suite, Buffer>
  /** rtpengine recognises an accepted key by the tag that it gave it. */
  keyTags: Partial<Record<Suite, string>>
  identity?: LocalDtlsParameters
}

/** Reads what rtpengine would tell the other side. */
export function readRelayEnd(sdp: string, transport: Transport): RelayEnd {
  const parsed = parseSdp(sdp)
  assert(parsed.ok, 'rtpengine wrote an SDP that cannot be read')
  const session = parsed.description
  const line = session.media[0]
  const address = line?.connection ?? session.connection
  assert(line && address, 'rtpengine wrote an SDP without audio')
  const keys: Record<Suite, Buffer> = {
    AES_CM_128_HMAC_SHA1_80: Buffer.alloc(0),
    AES_CM_128_HMAC_SHA1_32: Buffer.alloc(0),
  }
  const keyTags: RelayEnd['keyTags'] = {}
  for (const crypto of attributeValues(line.attributes, 'crypto').map(readCrypto)) {
    if (!crypto) continue
    keys[crypto.suite] = crypto.key
    keyTags[crypto.suite] = crypto.tag
  }
  const rtcp = Number.parseInt(attributeValues(line.attributes, 'rtcp')[0] ?? '', 10)
  return {
    address,
    port: line.port,
    rtcpPort: rtcp || line.port,
    keys,
    keyTags,
    ...(transport === 'webrtc' && { identity: readIdentity(line, session) }),
  }
}

function readIdentity(line: MediaLine, session: SessionDescription): LocalDtlsParameters {
  const read = readDtlsParameters(line, session)
  assert(read.ok, 'rtpengine wrote an SDP without ICE or DTLS')
  const candidates = attributeValues(line.attributes, 'candidate').flatMap((candidate) => {
    const [, component, protocol, , address, port] = candidate.split(/ +/)
    const isOurs = component === '1' && protocol?.toLowerCase() === 'udp'
    return isOurs && address && port ? [{ address, port: Number(port) }] : []
  })
  return { ...read.identity, candidates }
}

/** What the other side agreed to, for rtpengine: one line, one codec, and the key that is used. */
export function describeRemote(
  text: string,
  { send, receive, direction, suite, transport, remote }: NegotiatedAudio,
  { keyTags }: RelayEnd,
): string {
  const parsed = parseSdp(text)
  assert(parsed.ok)
  const theirs = parsed.description.media[remote.line]
  assert(theirs)
  const events = Object.values(remote.codecs.events).filter((payloadType) => receive.events.has(payloadType))
  const payloadTypes = [send.payloadType, ...events].map(String)
  const line: MediaLine = {
    kind: 'audio',
    port: remote.rtp.port,
    protocol: RTP_PROFILE[transport],
    formats: payloadTypes,
    attributes: [
      ...theirs.attributes.filter(
        ({ name, value }) =>
          name === 'ptime' ||
          ((name === 'rtpmap' || name === 'fmtp') && payloadTypes.includes(value?.split(' ')[0] ?? '')),
      ),
      { name: reversed(direction) },
      ...(remote.rtcpMux
        ? [{ name: 'rtcp-mux' }]
        : [
            {
              name: 'rtcp',
              value: `${remote.rtcp.port} IN IP${remote.rtcp.address.includes(':') ? 6 : 4} ${remote.rtcp.address}`,
            },
          ]),
      ...(suite ? cryptoOf(theirs, suite, keyTags[suite]) : []),
      ...(remote.identity
        ? [
            { name: 'ice-ufrag', value: remote.identity.ufrag },
            { name: 'ice-pwd', value: remote.identity.pwd },
            // It has no candidates here: rtpengine learns them from the checks of the browser.
            { name: 'ice-options', value: 'trickle' },
            {
              name: 'fingerprint',
              value: `${remote.identity.fingerprint.hash} ${remote.identity.fingerprint.value}`,
            },
            { name: 'setup', value: 'active' },
          ]
        : []),
    ],
  }
  const address = transport === 'webrtc' ? '0.0.0.0' : remote.rtp.address
  if (transport === 'webrtc') line.port = 9
  return printSdp({
    origin: { sessionId: '1', version: '1', address },
    connection: address,
    attributes: [],
    media: [line],
  })
}

/**
 * The SDP of this process, with the payload types of the participant, who may have others; undefined if it has them
 * already. Packets are the same on both sides of rtpengine.
 */
export function withFormatsOf(described: string, inside: string): string | undefined {
  const [theirs, ours] = [parseSdp(described), parseSdp(inside)]
  assert(theirs.ok && ours.ok)
  const [from, to] = [theirs.description.media[0], ours.description.media[0]]
  assert(from && to)
  const [wanted, known] = [readCodecs(from), readCodecs(to)]
  const areKnown =
    wanted.formats.every(({ codec, payloadType }) =>
      known.formats.some((each) => each.codec === codec && each.payloadType === payloadType),
    ) && eventsOf(wanted.events).every(([payloadType, rate]) => known.events[rate] === payloadType)
  if (areKnown) return undefined
  to.formats = from.formats
  to.attributes = [...from.attributes.filter(isFormat), ...to.attributes.filter((each) => !isFormat(each))]
  return printSdp(ours.description)
}

const isFormat = ({ name }: Attribute) => name === 'rtpmap' || name === 'fmtp'

/** Their line as it is, because it may have a lifetime and an MKI, but with the tag of rtpengine's own key. */
function cryptoOf({ attributes }: MediaLine, suite: Suite, tag: string | undefined) {
  const line = attributeValues(attributes, 'crypto').find((value) => readCrypto(value)?.suite === suite)
  assert(line && tag)
  return [{ name: 'crypto', value: line.replace(/^\d+/, tag) }]
}

/** As rtpengine names them. */
export const RTP_PROFILE: Record<Transport, string> = {
  rtp: 'RTP/AVP',
  sdes: 'RTP/SAVP',
  webrtc: 'UDP/TLS/RTP/SAVPF',
}

/** All that rtpengine has, and we do not. */
const OTHER_SUITES = [
  'AEAD_AES_256_GCM',
  'AEAD_AES_128_GCM',
  'AES_256_CM_HMAC_SHA1_80',
  'AES_256_CM_HMAC_SHA1_32',
  'AES_192_CM_HMAC_SHA1_80',
  'AES_192_CM_HMAC_SHA1_32',
  'F8_128_HMAC_SHA1_80',
  'F8_128_HMAC_SHA1_32',
  'NULL_HMAC_SHA1_80',
  'NULL_HMAC_SHA1_32',
]

/** What an offer to the other side of a leg is to contain. */
export const OFFER_FLAGS: Record<Transport, Record<string, unknown>> = {
  rtp: { ICE: 'remove', 'rtcp-mux': ['offer'] },
  sdes: {
    ICE: 'remove',
    DTLS: 'off',
    SDES: OTHER_SUITES.map((suite) => `no-${suite}`),
    'rtcp-mux': ['offer'],
  },
  webrtc: {
    ICE: 'force',
    'ICE-lite': 'forward',
    SDES: ['off'],
    DTLS: 'passive',
    'rtcp-mux': ['require'],
  },
}
