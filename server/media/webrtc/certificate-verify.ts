import { verify, X509Certificate } from 'node:crypto'

/** A handshake message, as the library keeps it. */
export interface HandshakeMessage {
  msg_type: number
  fragment: Buffer
  serialize(): Buffer
}

const CERTIFICATE_VERIFY = 15

/** By TLS number (RFC 5246 §7.4.1.4.1); weaker hashes are not accepted. */
const HASHES: Readonly<Record<number, string>> = { 4: 'sha256', 5: 'sha384', 6: 'sha512' }

/**
 * Whether the other side has the private key of its certificate. A certificate is public, and the library does not
 * verify the CertificateVerify signature (RFC 5246 §7.4.8), which covers all earlier messages.
 */
export function verifiesCertificate(messages: HandshakeMessage[], certificate: Buffer): boolean {
  const at = messages.findIndex(({ msg_type }) => msg_type === CERTIFICATE_VERIFY)
  const proof = messages[at]?.fragment
  const hash = proof && proof.length > 4 ? HASHES[proof[0]!] : undefined
  if (!proof || !hash) return false
  const signed = Buffer.concat(messages.slice(0, at).map((message) => message.serialize()))
  const signature = proof.subarray(4, 4 + proof.readUInt16BE(2))
  return verify(hash, signed, new X509Certificate(certificate).publicKey, signature)
}
