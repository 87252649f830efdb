import { verify, X509Certificate } from 'node:crypto'

/** A message of the handshake, as the library keeps it. */
export interface HandshakeMessage {
  msg_type: number
  fragment: Buffer
  serialize(): Buffer
}

const CERTIFICATE_VERIFY = 15

/** By the number that TLS gives them (RFC 5246 §7.4.1.4.1); anything weaker proves nothing. */
const HASHES: Readonly<Record<number, string>> = { 4: 'sha256', 5: 'sha384', 6: 'sha512' }

/**
 * Whether the other side holds the key of the certificate it showed: a certificate is no secret, and the library does
 * not look at the signature that goes with it (RFC 5246 §7.4.8), which covers all messages before.
 */
export function provesKey(messages: HandshakeMessage[], certificate: Buffer): boolean {
  const at = messages.findIndex(({ msg_type }) => msg_type === CERTIFICATE_VERIFY)
  const proof = messages[at]?.fragment
  const hash = proof && proof.length > 4 ? HASHES[proof[0]!] : undefined
  if (!proof || !hash) return false
  const signed = Buffer.concat(messages.slice(0, at).map((message) => message.serialize()))
  const signature = proof.subarray(4, 4 + proof.readUInt16BE(2))
  return verify(hash, signed, new X509Certificate(certificate).publicKey, signature)
}
