import type { SipRequest, SipResponse } from '../message/message.ts'
import {
  type Algorithm,
  algorithmOf,
  type DigestCredentials,
  digestResponse,
  parseDigest,
  printDigest,
} from './digest.ts'

interface Challenge {
  /** The header field for the credentials. */
  field: 'authorization' | 'proxy-authorization'
  algorithm: Algorithm
  realm: string
  nonce: string
  opaque: string | undefined
  hasQop: boolean
  count: number
}

const HEX_DIGITS = 8

/** Responds to challenges, and adds credentials to later requests in advance. */
export class DigestClient {
  readonly #credentials: DigestCredentials | undefined
  readonly #token: () => string
  #challenge: Challenge | undefined

  constructor(credentials: DigestCredentials | undefined, token: () => string) {
    this.#credentials = credentials
    this.#token = token
  }

  /** Takes the challenge of a 401 or 407. False if responding to it would be pointless. */
  takeUp(response: SipResponse): boolean {
    const challenge = readChallenge(response)
    if (!challenge || !this.#credentials) return false
    // Challenged again right after our credentials, and not because the nonce is stale: the password is wrong.
    const isRefused = this.#challenge?.realm === challenge.realm && this.#challenge.count === 1
    if (isRefused && !challenge.isStale) return false
    this.#challenge = { ...challenge, count: 0 }
    return true
  }

  /** Adds credentials to a request, if a challenge is known. */
  sign(request: SipRequest): void {
    const challenge = this.#challenge
    if (!challenge || !this.#credentials) return
    challenge.count++
    const nc = challenge.count.toString(16).padStart(HEX_DIGITS, '0')
    const qop = challenge.hasQop ? { nc, cnonce: this.#token() } : undefined
    const { algorithm, realm, nonce, opaque } = challenge
    const { username } = this.#credentials
    const { method, uri } = request
    const input = { algorithm, realm, nonce, method, uri, ...this.#credentials, ...(qop && { qop }) }
    const proof = printDigest({
      username,
      realm,
      nonce,
      uri,
      response: digestResponse(input),
      algorithm,
      cnonce: qop?.cnonce,
      opaque,
      nc: qop?.nc,
    })
    request.headers.set(challenge.field, qop ? `${proof}, qop=auth` : proof)
  }
}

/** The strongest of the offered algorithms that we support. */
function readChallenge({
  status,
  headers,
}: SipResponse): (Omit<Challenge, 'count'> & { isStale: boolean }) | undefined {
  const field = status === 407 ? 'proxy-authorization' : 'authorization'
  const challenges = headers
    .all(status === 407 ? 'proxy-authenticate' : 'www-authenticate')
    .flatMap((text) => {
      const values = parseDigest(text)
      const algorithm = values && algorithmOf(values)
      const [realm, nonce] = [values?.get('realm'), values?.get('nonce')]
      if (!algorithm || realm === undefined || nonce === undefined) return []
      const qops = values
        .get('qop')
        ?.split(',')
        .map((name) => name.trim().toLowerCase())
      if (qops && !qops.includes('auth')) return []
      const isStale = values.get('stale')?.toLowerCase() === 'true'
      return [
        {
          field,
          algorithm,
          realm,
          nonce,
          opaque: values.get('opaque'),
          hasQop: qops !== undefined,
          isStale,
        } as const,
      ]
    })
  return challenges.find(({ algorithm }) => algorithm === 'SHA-256') ?? challenges[0]
}
