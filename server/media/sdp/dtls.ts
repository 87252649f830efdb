import {
  type Attribute,
  attributeValue,
  attributeValues,
  type MediaLine,
  type SessionDescription,
} from './description.ts'
import { refuseSdp, type SdpResult } from './refusal.ts'

/** ICE and DTLS attributes of a browser. Its candidates are not needed: an ICE-lite side sends no checks. */
export interface RemoteDtlsParameters {
  ufrag: string
  pwd: string
  fingerprint: Fingerprint
}

export interface Fingerprint {
  hash: 'sha-256' | 'sha-384' | 'sha-512'
  /** In upper case, with colons. */
  value: string
}

export interface LocalDtlsParameters {
  ufrag: string
  pwd: string
  fingerprint: Fingerprint
  /** Of our stream, if it has the same one from beginning to end. */
  ssrc?: number
  /** Where we can be reached, the most preferred first. */
  candidates: readonly { address: string; port: number }[]
}

const HASH_BYTES: Record<Fingerprint['hash'], number> = { 'sha-256': 32, 'sha-384': 48, 'sha-512': 64 }

/** The other side must be able to act as DTLS client: we are always the server. */
export function readDtlsParameters(
  line: MediaLine,
  session: SessionDescription,
): SdpResult<{ identity: RemoteDtlsParameters }> {
  const attribute = (name: string) =>
    attributeValue(line.attributes, name) ?? attributeValue(session.attributes, name)
  const [ufrag, pwd] = [attribute('ice-ufrag'), attribute('ice-pwd')]
  // RFC 8839 §5.4
  if (!ufrag || !pwd || !/^[\w+/]{4,256}$/.test(ufrag) || !/^[\w+/]{22,256}$/.test(pwd))
    return refuseSdp('no_ice')
  const fingerprints = [
    ...attributeValues(line.attributes, 'fingerprint'),
    ...attributeValues(session.attributes, 'fingerprint'),
  ]
  const fingerprint = fingerprints.map(readFingerprint).find((read) => read !== undefined)
  if (!fingerprint) return refuseSdp('no_fingerprint')
  const setup = attribute('setup') ?? 'active'
  if (setup !== 'active' && setup !== 'actpass') return refuseSdp('setup_role')
  return { ok: true, identity: { ufrag, pwd, fingerprint } }
}

function readFingerprint(value: string): Fingerprint | undefined {
  const [name, digest] = value.split(/ +/)
  const hash = name?.toLowerCase()
  if (hash !== 'sha-256' && hash !== 'sha-384' && hash !== 'sha-512') return undefined
  if (!digest || !/^([\da-f]{2}:)+[\da-f]{2}$/i.test(digest)) return undefined
  return digest.length === HASH_BYTES[hash] * 3 - 1 ? { hash, value: digest.toUpperCase() } : undefined
}

/** RFC 8445 §5.1.2: a host candidate of the first component, with its local preference. */
const hostPriority = (place: number) => 126 * 2 ** 24 + (65_535 - place) * 2 ** 8 + 255

export function dtlsAttributes(
  { ufrag, pwd, fingerprint, ssrc, candidates }: LocalDtlsParameters,
  setup: 'actpass' | 'passive',
): Attribute[] {
  return [
    { name: 'ice-ufrag', value: ufrag },
    { name: 'ice-pwd', value: pwd },
    { name: 'fingerprint', value: `${fingerprint.hash} ${fingerprint.value}` },
    { name: 'setup', value: setup },
    ...candidates.map(({ address, port }, i) => ({
      name: 'candidate',
      value: `${i + 1} 1 udp ${hostPriority(i)} ${address} ${port} typ host`,
    })),
    { name: 'end-of-candidates' },
    // Without msid, some SIP libraries in browsers never get the track.
    { name: 'msid', value: 'bellhop audio' },
    ...(ssrc === undefined ? [] : [{ name: 'ssrc', value: `${ssrc} cname:bellhop` }]),
  ]
}
