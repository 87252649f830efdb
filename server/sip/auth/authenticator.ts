import { timingSafeEqual } from 'node:crypto'

import type { Clock } from '../../platform/clock.ts'
import { copyText } from '../message/copy-text.ts'
import type { SipRequest } from '../message/message.ts'
import {
  type Algorithm,
  algorithmOf,
  type DigestCredentials,
  digestResponse,
  parseDigest,
  printDigest,
} from './digest.ts'
import { Nonces } from './nonces.ts'

export type AuthResult =
  | { ok: true; username: string }
  /** `stale`: the credentials may be right, but the nonce has expired or was used before. */
  | { ok: false; why: 'missing' | 'stale' | 'wrong'; username?: string }

/** Challenges peers and verifies their digest credentials. */
export class Authenticator {
  readonly #realm: string
  readonly #algorithms: Algorithm[]
  readonly #nonces: Nonces
  /** A dummy password for unknown users, so that the check takes equally long. */
  readonly #nobody: string

  constructor(options: {
    clock: Clock
    token: () => string
    secret: Buffer
    realm: string
    algorithms: Algorithm[]
  }) {
    this.#realm = options.realm
    this.#algorithms = options.algorithms
    this.#nonces = new Nonces(options.clock, options.token, options.secret)
    this.#nobody = options.token()
  }

  /** The values of WWW-Authenticate. */
  challenge(isStale: boolean): string[] {
    const nonce = this.#nonces.create()
    const stale = isStale ? 'true' : undefined
    return this.#algorithms.map((algorithm) =>
      printDigest({ realm: this.#realm, nonce, algorithm, qop: 'auth', stale }),
    )
  }

  /** The user name that a request claims, before it is verified. */
  claimedUser({ headers }: SipRequest): string | undefined {
    return this.#readClaim(headers.all('authorization'))?.get('username')
  }

  async check(
    request: SipRequest,
    find: (username: string) => Promise<DigestCredentials | undefined>,
  ): Promise<AuthResult> {
    const claim = this.#readClaim(request.headers.all('authorization'))
    const algorithm = claim && algorithmOf(claim)
    const username = claim?.get('username')
    if (!claim || !algorithm || username === undefined) return { ok: false, why: 'missing' }
    const get = (name: string) => claim.get(name) ?? ''
    const hasQop = claim.has('qop')
    const expected = digestResponse({
      algorithm,
      username,
      password: (await find(username))?.password ?? this.#nobody,
      realm: this.#realm,
      nonce: get('nonce'),
      method: request.method,
      // Not compared with the Request-URI: many phones write it differently, and the nonce count prevents replays.
      uri: get('uri'),
      ...(hasQop && { qop: { nc: get('nc'), cnonce: get('cnonce') } }),
    })
    if (!isSame(expected, get('response').toLowerCase())) return { ok: false, why: 'wrong', username }
    // Without a nonce count, a nonce is valid for one request.
    const count = hasQop ? Number.parseInt(get('nc'), 16) : 1
    if (!this.#nonces.use(get('nonce'), count)) return { ok: false, why: 'stale', username }
    return { ok: true, username: copyText(username) }
  }

  #readClaim(values: string[]): Map<string, string> | undefined {
    return values.map(parseDigest).find((claim) => claim?.get('realm') === this.#realm)
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
