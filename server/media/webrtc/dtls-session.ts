import type { Fingerprint } from '../sdp/dtls.ts'
import { verifiesCertificate } from './certificate-verify.ts'
import { type Certificate, fingerprintOf } from './certificate.ts'

export interface DtlsOutcome {
  /** Master keys with salts. */
  keys(ours: Buffer, theirs: Buffer): void
  failed(): void
}

const [KEY_BYTES, SALT_BYTES] = [16, 14]
const HANDSHAKE = 22
const CLIENT_HELLO = 1

/** The DTLS handshake with one browser, which produces its SRTP keys. */
export function createDtlsSession(
  certificate: Certificate,
  send: (bytes: Buffer) => void,
  outcome: DtlsOutcome,
) {
  const { DtlsServer, ProtectionProfileAes128CmHmacSha1_80: PROFILE } = certificate.library
  const transport = {
    type: 'udp',
    address: ['', 0] as const,
    closed: false,
    onData: (_bytes: Buffer) => {},
    send: async (bytes: Buffer) => send(bytes),
    close: async () => {},
  }
  let expected: Fingerprint | undefined
  let state: 'shaking' | 'shaken' | 'done' = 'shaking'
  const dtls = new DtlsServer({
    cert: certificate.certPem,
    key: certificate.keyPem,
    signatureHash: certificate.signatureHash as never,
    transport: transport as never,
    srtpProfiles: [PROFILE],
    extendedMasterSecret: true,
    certificateRequest: true,
  })
  dtls.onConnect.subscribe(() => {
    if (state === 'shaking') state = 'shaken'
    settle()
  })
  dtls.onError.subscribe(fail)

  function fail(): void {
    if (state === 'done') return
    state = 'done'
    outcome.failed()
  }

  function settle(): void {
    if (state !== 'shaken' || !expected) return
    const certificate = dtls.remoteCertificate
    if (!certificate || fingerprintOf(certificate, expected.hash) !== expected.value) return fail()
    if (!verifiesCertificate(dtls.dtls.sortedHandshakeCache, certificate)) return fail()
    if (dtls.srtp.srtpProfile !== PROFILE) return fail()
    state = 'done'
    const keys = dtls.extractSessionKeys(KEY_BYTES, SALT_BYTES)
    outcome.keys(
      Buffer.concat([keys.localKey, keys.localSalt]),
      Buffer.concat([keys.remoteKey, keys.remoteSalt]),
    )
  }

  return {
    receive(bytes: Buffer): void {
      // A second ClientHello would make the library start over with whoever sent it. A browser that restarts signals it
      // in SDP.
      if (state !== 'shaking' && isPlainHello(bytes)) return
      try {
        transport.onData(bytes)
      } catch {
        // Not DTLS: the packet is dropped.
      }
    },
    /** The fingerprint that the other side must have. Its SDP may arrive after its first packets. */
    expect(fingerprint: Fingerprint): void {
      expected = fingerprint
      settle()
    },
    close(): void {
      state = 'done'
      transport.closed = true
      dtls.close()
    },
  }
}

const isPlainHello = (bytes: Buffer) =>
  bytes.length > 13 && bytes[0] === HANDSHAKE && bytes.readUInt16BE(3) === 0 && bytes[13] === CLIENT_HELLO
