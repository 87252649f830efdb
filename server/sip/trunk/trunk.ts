import { inBackground } from '../../platform/background.ts'
import { SIP_LIMITS } from '../limits.ts'
import { bracketed, printHostPort } from '../message/grammar/uri.ts'
import { Headers } from '../message/headers.ts'
import { NO_BODY, type SipRequest } from '../message/message.ts'
import type { CallRoute } from '../user-agent/call-routes.ts'
import { cannotServe, type Core, type OpenFlow, sendRequest } from '../user-agent/core.ts'
import type { TrunkConfig } from './config.ts'
import { networkMatcher } from './networks.ts'
import { formatNumber } from './number-format.ts'
import { type RegistrationState, TrunkRegistration } from './registration.ts'

export type TrunkChange =
  | { trunk: string; host: string; isUp: boolean }
  | { trunk: string; registration: RegistrationState }

interface Host {
  /** `host:port`, as in a URI. */
  place: string
  isUp: boolean
}

/** The state of a carrier: which of its hosts are up, and the routes to them. */
export class Trunk {
  readonly config: TrunkConfig
  readonly #core: Core
  readonly #hosts: Host[]
  readonly #isSource: (address: string) => boolean
  readonly #changed: (change: TrunkChange) => void
  readonly #registration: TrunkRegistration | undefined
  #stopProbing: (() => void) | undefined
  #isClosed = false

  constructor(core: Core, config: TrunkConfig, changed: (change: TrunkChange) => void) {
    this.config = config
    this.#core = core
    this.#changed = changed
    this.#isSource = networkMatcher(config.addresses)
    this.#hosts = config.hosts.map(({ host, port }) => ({
      place: printHostPort(bracketed(host), port),
      // Hosts count as up until a probe fails.
      isUp: true,
    }))
    const onState = (registration: RegistrationState) => changed({ trunk: config.name, registration })
    this.#registration = config.registration
      ? new TrunkRegistration(core, config, () => this.#waysToAll(), onState)
      : undefined
    if (config.probed) this.#probe()
  }

  /** Whether calls from this address belong to this carrier without authentication. */
  trusts(address: string): boolean {
    return this.config.inbound === undefined && this.#isSource(address)
  }

  /** Whether the address is exempt from the rate limit, authenticated or not. */
  comesFrom(address: string): boolean {
    return this.#isSource(address)
  }

  /** Hosts that are up come first; the others are the last resort. */
  routesTo(number: string): CallRoute[] {
    const user = formatNumber(number, this.config.numberFormat)
    return this.#inOrder().map((host) => ({
      uri: `sip:${user}@${host.place}${this.#transportParam}`,
      path: [],
      ways: () => this.#waysTo(host),
      staysOnFlow: false,
    }))
  }

  get domain(): string {
    return this.config.domain ?? bracketed(this.config.hosts[0]!.host)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopProbing?.()
    await this.#registration?.close()
  }

  get #transportParam(): string {
    return this.config.protocol === 'udp' ? '' : `;transport=${this.config.protocol}`
  }

  #inOrder(): Host[] {
    return this.#hosts.toSorted((a, b) => Number(b.isUp) - Number(a.isUp))
  }

  #waysTo({ place }: Host): Promise<OpenFlow[]> {
    return this.#core.waysTo(`sip:${place}${this.#transportParam}`, this.config.protocol)
  }

  async #waysToAll(): Promise<OpenFlow[]> {
    // A host that cannot be resolved leaves the others.
    const ways = this.#inOrder().map((host) => this.#waysTo(host).catch(() => []))
    return (await Promise.all(ways)).flat()
  }

  #probe(): void {
    const probed = Promise.all(this.#hosts.map((host) => this.#probeHost(host)))
    const again = () => {
      if (!this.#isClosed) this.#stopProbing = this.#core.clock.after(SIP_LIMITS.probeMs, () => this.#probe())
    }
    inBackground(this.#core.log, 'probe a carrier', probed.finally(again))
  }

  async #probeHost(host: Host): Promise<void> {
    const isUp = await this.#answers(host)
    if (this.#isClosed || isUp === host.isUp) return
    host.isUp = isUp
    this.#changed({ trunk: this.config.name, host: host.place, isUp })
  }

  /** Whether any server of the host responds. */
  async #answers(host: Host): Promise<boolean> {
    // A host that cannot be resolved or reached is down, which is what was asked.
    for (const open of await this.#waysTo(host).catch(() => [])) {
      const flow = await open().catch(() => undefined)
      const answer = flow && (await sendRequest(this.#core, this.#makeProbe(host), flow))
      // Any response will do, even a refusal, except from a server that is out of service.
      if (answer?.ok && !cannotServe(answer.response)) return true
    }
    return false
  }

  #makeProbe({ place }: Host): SipRequest {
    const { token } = this.#core.chance
    const uri = `sip:${place}${this.#transportParam}`
    const headers = new Headers()
    headers.add('max-forwards', '70')
    headers.add('from', `<sip:${this.domain}>;tag=${token()}`)
    headers.add('to', `<${uri}>`)
    headers.add('call-id', token())
    headers.add('cseq', '1 OPTIONS')
    return { kind: 'request', method: 'OPTIONS', uri, headers, body: NO_BODY }
  }
}
