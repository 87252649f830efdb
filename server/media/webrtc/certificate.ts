import { createHash, X509Certificate } from 'node:crypto'

import type { Fingerprint } from '../sdp/dtls.ts'

/** What the process shows every browser. Made at its start, and known by its fingerprint alone. */
export interface Certificate {
  certPem: string
  keyPem: string
  signatureHash: { hash: number; signature: number }
  fingerprint: Fingerprint
  /** What shakes hands with it. */
  library: DtlsLibrary
}

type DtlsLibrary = typeof import('werift')

/** It takes most of a second to load, and blocks all else: an edge does that before its first call, others never. */
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
