export type ConnectionFailure = 'timeout' | 'dns' | 'private_address' | 'tls' | 'connection'

const DNS_CODES = /^(ENOTFOUND|EAI_\w+|ENODATA)$/
const TLS_CODES = /^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|\w*CERT\w*|UNABLE_TO_\w+|HOSTNAME_MISMATCH)$/

/** A private address that an external URL resolved to. */
export class BlockedAddress extends Error {
  constructor(host: string) {
    super(`${host} leads to an address that is not public`)
    this.name = 'BlockedAddress'
  }
}

/** Why a request to an external URL failed, in words that may be shown to the owner of the URL. */
export function connectionFailureOf(error: unknown): ConnectionFailure {
  if (error instanceof BlockedAddress) return 'private_address'
  const code = String((error as NodeJS.ErrnoException).code)
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timeout'
  if (DNS_CODES.test(code)) return 'dns'
  if (TLS_CODES.test(code)) return 'tls'
  return 'connection'
}
