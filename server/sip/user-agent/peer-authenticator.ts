import type { Clock } from '../../platform/clock.ts'
import { AuthThrottle } from '../auth/auth-throttle.ts'
import type { Authenticator } from '../auth/authenticator.ts'
import type { DigestCredentials } from '../auth/digest.ts'
import { UnmetChallenges } from '../auth/unmet-challenges.ts'
import { respondTo } from '../message/create.ts'
import { callIdOf } from '../message/fields.ts'
import type { SipRequest, SipResponse } from '../message/message.ts'
import type { ReportRefusal } from '../refusal.ts'
import type { ServerTransaction } from '../transaction/server-transaction.ts'
import type { SourcePolicy } from '../transport/receive.ts'
import type { Trunk } from '../trunk/trunk.ts'
import type { Peer } from './call/call.ts'

/** Says to a proxy for how many seconds the sender of the request is blocked. */
const BLOCKED = 'x-bellhop-blocked'

/** The passwords of devices. */
export interface DevicePasswords {
  find(username: string): Promise<DigestCredentials | undefined>
}

/** Admits carriers and devices. Everybody else gets the same challenge, whatever they request. */
export class PeerAuthenticator {
  readonly #clock: Clock
  readonly #authenticator: Authenticator
  readonly #accounts: DevicePasswords
  readonly #trunks: () => Iterable<Trunk>
  readonly #isDevice: (address: string) => boolean
  readonly #guard: AuthThrottle
  readonly #unmet: UnmetChallenges
  readonly #report: ReportRefusal

  constructor(options: {
    clock: Clock
    authenticator: Authenticator
    accounts: DevicePasswords
    trunks: () => Iterable<Trunk>
    isDevice: (address: string) => boolean
    onRefusal: ReportRefusal
  }) {
    this.#clock = options.clock
    this.#authenticator = options.authenticator
    this.#accounts = options.accounts
    this.#trunks = options.trunks
    this.#isDevice = options.isDevice
    this.#report = options.onRefusal
    this.#guard = new AuthThrottle(options.clock, (source) => this.#report({ why: 'blocked', source }))
    this.#unmet = new UnmetChallenges(options.clock)
  }

  get blockedSources(): number {
    return this.#guard.blockedCount
  }

  close(): void {
    this.#unmet.close()
  }

  /** Asked by the transports before they parse anything. */
  admit(address: string): SourcePolicy {
    if (this.#guard.blocksAll(address)) return 'blocked'
    if (this.#isDevice(address)) return 'free'
    for (const trunk of this.#trunks()) if (trunk.comesFrom(address)) return 'free'
    return 'limited'
  }

  /** Who sent a request. Undefined if it has been handled: challenged, or ignored. */
  async identify(transaction: ServerTransaction, trustAddresses: boolean): Promise<Peer | undefined> {
    const { request, flow } = transaction
    const { address } = flow.origin.remote
    if (trustAddresses) {
      for (const trunk of this.#trunks()) {
        if (trunk.trusts(address)) return { kind: 'trunk', trunk: trunk.config.name }
      }
    }
    if (this.#guard.blocks(address, this.#authenticator.claimedUser(request))) {
      // A proxy would wait for an ignored request, and then ask another edge.
      if (flow.isProxied) transaction.respond(this.#blockedBeyondProxy(request, address))
      else transaction.ignore()
      return undefined
    }
    const proof = await this.#authenticator.check(request, (username) => this.#find(username))
    const sipCallId = callIdOf(request)
    const refused = { source: address, method: request.method, sipCallId }
    if (proof.ok || proof.why === 'wrong') this.#unmet.met(sipCallId)
    if (proof.ok) {
      this.#guard.proved(address, proof.username)
      const peer = this.#peerOf(proof.username)
      if (peer.kind === 'trunk' || flow.isOpen) return peer
      // The phone closed its connection meanwhile, on which alone it can be reached.
      transaction.ignore()
      return undefined
    }
    const challenge = () => {
      const headers = { 'www-authenticate': this.#authenticator.challenge(proof.why === 'stale') }
      transaction.respond(respondTo(request, 401, { headers }))
    }
    if (proof.why === 'wrong')
      this.#report({ ...refused, why: 'wrong_password', ...(proof.username && { username: proof.username }) })
    else this.#unmet.watch(sipCallId, () => this.#report({ ...refused, why: 'no_password' }))
    const delayMs = proof.why === 'wrong' ? this.#guard.failed(address) : 0
    if (delayMs === 0) challenge()
    else this.#clock.after(delayMs, challenge)
    return undefined
  }

  /** The proxy may ignore a source from now on, unless somebody there has proved a password. */
  #blockedBeyondProxy(request: SipRequest, address: string): SipResponse {
    const seconds = this.#guard.blocksAllForSeconds(address)
    return respondTo(request, 403, { headers: { [BLOCKED]: seconds > 0 ? String(seconds) : undefined } })
  }

  #find(username: string): Promise<DigestCredentials | undefined> {
    const trunk = this.#trunkOf(username)
    return trunk ? Promise.resolve(trunk.config.inbound) : this.#accounts.find(username)
  }

  #peerOf(username: string): Peer {
    const trunk = this.#trunkOf(username)
    return trunk ? { kind: 'trunk', trunk: trunk.config.name } : { kind: 'device', username }
  }

  #trunkOf(username: string): Trunk | undefined {
    for (const trunk of this.#trunks()) if (trunk.config.inbound?.username === username) return trunk
    return undefined
  }
}
