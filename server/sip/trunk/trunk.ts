import { inBackground } from '../../platform/background.ts'
import { SIP_LIMITS } from '../limits.ts'
import type { CallRoute } from '../user-agent/call-routes.ts'
import type { CallEndReason } from '../user-agent/call/call.ts'
import type { Core, OpenFlow } from '../user-agent/core.ts'
import type { TrunkConfig } from './config.ts'
import { networkMatcher } from './networks.ts'
import { formatNumber } from './number-format.ts'
import { domainOf, placesOf, respondsToOptions, transportParam, uriOf } from './probe.ts'
import { type RegistrationState, TrunkRegistration } from './registration.ts'

export type TrunkChange =
  | { trunk: string; host: string; isUp: boolean }
  | { trunk: string; registration: RegistrationState }

/** A carrier as we see it now. */
export interface TrunkState {
  name: string
  /** Hosts that are not probed count as up. */
  hosts: HostState[]
  protocol: TrunkConfig['protocol']
  isProbed: boolean
  /** If it needs one. */
  registration?: RegistrationState
  /** Calls over it that have not ended. */
  calls: number
  lastFailure?: TrunkFailure
}

/** What went wrong most recently, and may be over. Without a status, there was no response. */
export interface TrunkFailure {
  at: Date
  of: 'options' | 'registration' | 'call'
  status?: number
  /** The host that did not respond to OPTIONS. */
  place?: string
}

interface HostState {
  /** `host:port`, as in a URI. */
  place: string
  isUp: boolean
  /** When it was last probed. */
  probedAt?: Date
}

/** What the dialled number or its owner causes, rather than the carrier. */
const OF_CALLEES = new Set([404, 410, 480, 484, 486, 487, 600, 603, 604])

/** The state of a carrier: which of its hosts are up, and the routes to them. */
export class Trunk {
  readonly config: TrunkConfig
  readonly #core: Core
  readonly #hosts: HostState[]
  readonly #isSource: (address: string) => boolean
  readonly #changed: (change: TrunkChange) => void
  readonly #registration: TrunkRegistration | undefined
  #stopProbing: (() => void) | undefined
  #calls = 0
  #lastFailure: TrunkFailure | undefined
  #isClosed = false

  constructor(core: Core, config: TrunkConfig, changed: (change: TrunkChange) => void) {
    this.config = config
    this.#core = core
    this.#changed = changed
    this.#isSource = networkMatcher(config.addresses)
    // Hosts count as up until a probe fails.
    this.#hosts = placesOf(config).map((place) => ({ place, isUp: true }))
    const onState = (registration: RegistrationState) => {
      if (registration.in === 'failed') this.#failed({ of: 'registration', status: registration.status })
      changed({ trunk: config.name, registration })
    }
    this.#registration = config.registration
      ? new TrunkRegistration(core, config, () => this.#flowsToAll(), onState)
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
      uri: `sip:${user}@${host.place}${transportParam(this.config)}`,
      path: [],
      flows: () => this.#flowsTo(host),
      staysOnFlow: false,
    }))
  }

  get state(): TrunkState {
    return {
      name: this.config.name,
      hosts: this.#hosts.map((host) => ({ ...host })),
      protocol: this.config.protocol,
      isProbed: this.config.probed,
      calls: this.#calls,
      ...(this.#lastFailure && { lastFailure: this.#lastFailure }),
      ...(this.#registration && { registration: this.#registration.state }),
    }
  }

  /** Counts a call. Returns what to call when it ends. */
  callBegun(direction: 'inbound' | 'outbound'): (ending: CallEndReason) => void {
    this.#calls++
    return (ending) => {
      this.#calls--
      if (direction === 'inbound') return
      if (ending.why === 'lost') this.#failed({ of: 'call' })
      else if (ending.why === 'refused' && ending.by === 'peer' && !OF_CALLEES.has(ending.status))
        this.#failed({ of: 'call', status: ending.status })
    }
  }

  get domain(): string {
    return domainOf(this.config)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopProbing?.()
    await this.#registration?.close()
  }

  #failed({
    of,
    status,
    place,
  }: {
    of: TrunkFailure['of']
    status?: number | undefined
    place?: string
  }): void {
    this.#lastFailure = {
      at: this.#core.clock.now(),
      of,
      ...(status !== undefined && { status }),
      ...(place !== undefined && { place }),
    }
  }

  #inOrder(): HostState[] {
    return this.#hosts.toSorted((a, b) => Number(b.isUp) - Number(a.isUp))
  }

  #flowsTo({ place }: HostState): Promise<OpenFlow[]> {
    return this.#core.flowsTo(uriOf(this.config, place), this.config.protocol)
  }

  async #flowsToAll(): Promise<OpenFlow[]> {
    // A host that cannot be resolved leaves the others.
    const flows = this.#inOrder().map((host) => this.#flowsTo(host).catch(() => []))
    return (await Promise.all(flows)).flat()
  }

  #probe(): void {
    const probed = Promise.all(this.#hosts.map((host) => this.#probeHost(host)))
    const again = () => {
      if (!this.#isClosed) this.#stopProbing = this.#core.clock.after(SIP_LIMITS.probeMs, () => this.#probe())
    }
    inBackground(this.#core.log, 'probe a carrier', probed.finally(again))
  }

  async #probeHost(host: HostState): Promise<void> {
    const isUp = await respondsToOptions(this.#core, this.config, host.place)
    host.probedAt = this.#core.clock.now()
    if (!isUp) this.#failed({ of: 'options', place: host.place })
    if (this.#isClosed || isUp === host.isUp) return
    host.isUp = isUp
    this.#changed({ trunk: this.config.name, host: host.place, isUp })
  }
}
