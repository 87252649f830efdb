import { createHash, X509Certificate } from 'node:crypto'

import type { Fingerprint } from '../sdp/dtls.ts'

/** The DTLS certificate of the process, created at its start and identified by its fingerprint. */
export interface Certificate {
  certPem: string
  keyPem: string
  signatureHash: { hash: number; signature: number }
  fingerprint: Fingerprint
  /** The DTLS implementation. */
  library: DtlsLibrary
}

type DtlsLibrary = typeof import('werift')

/** Loading takes most of a second and blocks the event loop: an edge does it before its first call, others never. */
export const loadDtls = (): Promise<DtlsLibrary> => import('werift')

export async function createCertificate(): Promise<Certificate> {
  const library = await loadDtls()
  const { CipherContext, HashAlgorithm, NamedCurveAlgorithm, SignatureAlgorithm } = library
  const { certPem, keyPem, signatureHash } = await CipherContext.createSelfSignedCertificateWithKey(
    { signature: SignatureAlgorithm.ecdsa_3, hash: HashAlgorithm.sha256_4 },
    NamedCurveAlgorithm.secp256r1_23,
  )
  const value = fingerprintOf(new X509Certificate(certPem).raw, 'sha-256')
  return { certPem, keyPem, signatureHash, fingerprint: { hash: 'sha-256', value }, library }
}

export function fingerprintOf(der: Buffer, hash: Fingerprint['hash']): string {
  const digest = createHash(hash.replace('-', '')).update(der).digest('hex').toUpperCase()
  return digest.match(/../g)!.join(':')
}
