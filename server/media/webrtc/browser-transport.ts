import { randomBytes } from 'node:crypto'

import type { PacketTransport, PacketTransportListener } from '../packet-transport.ts'
import { isRtcp, parseRtp } from '../rtp/packet.ts'
import type { Fingerprint, LocalDtlsParameters, RemoteDtlsParameters } from '../sdp/dtls.ts'
import type { RtpAddress } from '../sdp/remote-audio.ts'
import { createSrtpContext, type SrtpContext } from '../srtp/srtp-context.ts'
import type { Certificate } from './certificate.ts'
import { createDtlsSession } from './dtls-session.ts'
import type { IcePeer, SharedPort } from './shared-port.ts'

/** The transport of a browser: ICE, DTLS keys, and consent. */
export interface BrowserTransport extends PacketTransport {
  identity(): Omit<LocalDtlsParameters, 'ssrc'>
  /** A new ufrag is an ICE restart and is answered with new credentials (RFC 8445 §2.4). */
  meet(remote: RemoteDtlsParameters): 'same' | 'other_fingerprint'
}

/** RFC 7675 §5.1: without consent for this long, nothing more is sent. */
const CONSENT_MS = 30_000

export function createBrowserTransport(
  shared: SharedPort,
  certificate: Certificate,
  listener: PacketTransportListener,
  nowMs: () => number,
): BrowserTransport {
  let target: RtpAddress | undefined
  let consentMs: number | undefined
  let fingerprint: Fingerprint | undefined
  let sealing: SrtpContext | undefined
  let closed = false

  const guest: IcePeer = {
    credentials: newCredentials(),
    remoteUfrag: undefined,
    checked(from, chosen) {
      consentMs = nowMs()
      // The latest nominated pair counts: this is how a laptop moves to another network.
      if (chosen || !target) target = from
    },
    receive(bytes) {
      const first = bytes[0] ?? 0
      // RFC 7983: DTLS from 20 to 63, RTP and RTCP from 128 to 191.
      if (first >= 20 && first < 64) dtls.receive(bytes)
      else if (first >= 128 && first < 192 && bytes.length >= 12) onMedia(bytes)
    },
  }
  const dtls = createDtlsSession(certificate, post, {
    keys(ours, theirs) {
      sealing = createSrtpContext('AES_CM_128_HMAC_SHA1_80', ours, theirs)
      listener.connected()
    },
    failed: () => listener.lost('dtls_failed'),
  })
  shared.add(guest)

  function onMedia(bytes: Buffer): void {
    const rtcp = isRtcp(bytes)
    const plain = rtcp ? sealing?.openRtcp(bytes) : sealing?.open(bytes)
    const packet = plain && !rtcp ? parseRtp(plain) : undefined
    if (packet) listener.rtp(packet)
    else if (plain && rtcp) listener.rtcp(plain)
    else transport.refusedPackets++
  }

  function post(bytes: Buffer): void {
    if (!closed && target) shared.send(bytes, target)
  }

  const [{ port }] = shared.places as [RtpAddress]
  const transport: Omit<BrowserTransport, 'refusedPackets'> & { refusedPackets: number } = {
    port,
    rtcpPort: port,
    refusedPackets: 0,
    identity: () => ({
      ...guest.credentials,
      fingerprint: certificate.fingerprint,
      candidates: shared.places,
    }),
    meet(remote) {
      if (fingerprint && fingerprint.value !== remote.fingerprint.value) return 'other_fingerprint'
      if (guest.remoteUfrag !== undefined && guest.remoteUfrag !== remote.ufrag) {
        guest.credentials = newCredentials()
        shared.add(guest)
      }
      guest.remoteUfrag = remote.ufrag
      fingerprint = remote.fingerprint
      return 'same'
    },
    apply() {
      consentMs ??= nowMs()
      if (fingerprint) dtls.expect(fingerprint)
    },
    send(packet, index) {
      if (sealing) post(sealing.seal(packet, index))
    },
    sendRtcp(packet) {
      if (sealing) post(sealing.sealRtcp(packet))
    },
    tick(atMs) {
      if (closed || consentMs === undefined || atMs - consentMs < CONSENT_MS) return
      this.close()
      listener.lost('consent_expired')
    },
    close() {
      if (closed) return
      closed = true
      shared.remove(guest)
      dtls.close()
    },
  }
  return transport
}

const newCredentials = () => ({
  ufrag: randomBytes(6).toString('hex'),
  pwd: randomBytes(18).toString('hex'),
})
