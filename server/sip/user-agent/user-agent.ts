import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { inBackground } from '../../platform/background.ts'
import { type Clock, withTimeout } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { Authenticator } from '../auth/authenticator.ts'
import type { Algorithm } from '../auth/digest.ts'
import { dialogKeyOf, routeUri } from '../dialog/dialog.ts'
import { respondTo } from '../message/create.ts'
import { callIdOf } from '../message/fields.ts'
import { isSipUri, parseUri, unbracketed } from '../message/grammar/uri.ts'
import { printMessage } from '../message/print.ts'
import { type Random, systemRandom } from '../random.ts'
import type { ReportRefusal } from '../refusal.ts'
import { type Binding, type Bindings, MemoryBindings } from '../registrar/bindings.ts'
import { Registrar, type RegistrationChange } from '../registrar/registrar.ts'
import { type EventPackages, Notifier } from '../subscription/notifier.ts'
import type { MessageTrace } from '../trace/message-trace.ts'
import type { ServerTransaction } from '../transaction/server-transaction.ts'
import { Transactions } from '../transaction/transactions.ts'
import { type Flow, isProtocol, type Protocol, type TransportAddress } from '../transport/flow.ts'
import { createDns, type Dns, resolveSipServers } from '../transport/resolve.ts'
import type { TlsOptions } from '../transport/stream.ts'
import { type ListenAt, Transports } from '../transport/transports.ts'
import type { TrunkConfig } from '../trunk/config.ts'
import { networkMatcher } from '../trunk/networks.ts'
import { placesOf, respondsToOptions } from '../trunk/probe.ts'
import { queryRegistration, type RegistrationQuery } from '../trunk/query-registration.ts'
import { Trunk, type TrunkChange, type TrunkState } from '../trunk/trunk.ts'
import type { CallRoute } from './call-routes.ts'
import type { IncomingCall, OutgoingCall } from './call/call.ts'
import { type InviteOptions, PlacedCall } from './call/outgoing-call.ts'
import type { Core, DialogOwner, OpenFlow } from './core.ts'
import { type DevicePasswords, PeerAuthenticator } from './peer-authenticator.ts'
import { RequestDispatcher } from './request-dispatcher.ts'

export interface UserAgentOptions {
  clock: Clock
  log: Log
  chance?: Random
  dns?: Dns
  /** The digest realm. It is part of the password hashes, and visible to whoever is challenged. */
  realm: string
  /** Key of the nonces; processes that share it accept each other's. */
  secret: Buffer
  /** Algorithms of our challenges. Only MD5 by default: phones without SHA-256 fail when they see it. */
  algorithms?: Algorithm[]
  tls?: TlsOptions
  /** The public addresses, if they differ from our own: one for each family. */
  advertised?: readonly string[]
  accounts: DevicePasswords
  bindings?: Bindings
  trunks?: TrunkConfig[]
  /** Proxies in front of us, as addresses and networks: their Via says who is beyond them. */
  proxies?: readonly string[]
  /** Whether new calls are taken: if not, OPTIONS are answered with 503. */
  takesCalls?(): boolean
  /** What phones may subscribe to; nothing by default. */
  events?: EventPackages
  /** Content types that an INVITE may have. */
  accepts?: string[]
  onInvite(call: IncomingCall): void
  onRegistration?(change: RegistrationChange): void
  onTrunk?(change: TrunkChange): void
  /** Called for every one; a flood is for the listener to limit. */
  onRefusal?: ReportRefusal
  /** Keeps the messages of calls. */
  trace?: MessageTrace
}

/** Whom to call. */
export type InviteTarget =
  | { to: 'uri'; uri: string }
  | { to: 'device'; binding: Binding }
  | { to: 'trunk'; trunk: string; number: string }

/** Our SIP endpoint: registers phones, receives calls and places them. */
export class UserAgent {
  readonly #core: Core
  readonly #transports: Transports
  readonly #registrar: Registrar
  readonly #notifier: Notifier
  readonly #dispatcher: RequestDispatcher
  readonly #authenticator: PeerAuthenticator
  readonly #dns: Dns
  readonly #options: UserAgentOptions
  readonly #trunks = new Map<string, Trunk>()
  /** Unanswered calls to devices, by user. */
  readonly #unanswered = new Map<string, Set<PlacedCall>>()
  /** For the upgrade of an HTTP connection at `/sip`. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void

  constructor(options: UserAgentOptions) {
    const { clock, log, chance = systemRandom, realm, secret, accounts } = options
    this.#options = options
    this.#dns = options.dns ?? createDns()
    const onRefusal: ReportRefusal = options.onRefusal ?? (() => {})
    this.#registrar = new Registrar(
      clock,
      log,
      options.bindings ?? new MemoryBindings(),
      (change) => options.onRegistration?.(change),
      onRefusal,
    )
    const algorithms = options.algorithms ?? ['MD5']
    const gatekeeper = new PeerAuthenticator({
      clock,
      authenticator: new Authenticator({ clock, token: chance.token, secret, realm, algorithms }),
      accounts,
      trunks: () => this.#trunks.values(),
      isDevice: (address) => this.#registrar.knows(address),
      onRefusal,
    })
    this.#authenticator = gatekeeper
    this.#transports = new Transports(transportOptions(options, gatekeeper), {
      message: (message, flow) => this.#guarded(() => this.#core.transactions.receive(message, flow)),
      badRequest: (request, status, flow) => flow.send(printMessage(respondTo(request, status))),
      closed: (flow) => this.#flowClosed(flow),
      ...(options.trace && { received: options.trace.received }),
    })
    const dialogs = new Map<string, DialogOwner>()
    const transactions = new Transactions(clock, chance.token, {
      request: (transaction) => this.#receive(transaction),
      ack: (request) => dialogs.get(dialogKeyOf(request))?.acknowledge(request),
      refused: (request, { remote }) =>
        onRefusal({
          why: 'overloaded',
          source: remote.address,
          method: request.method,
          status: 503,
          sipCallId: callIdOf(request),
        }),
    })
    const flowsTo = (uri: string, otherwise: Protocol) => this.#flowsTo(uri, otherwise)
    this.#core = { clock, log, chance, transactions, dialogs, flowsTo }
    const { onInvite, accepts = ['application/sdp'] } = options
    this.#notifier = new Notifier({
      core: this.#core,
      authenticator: gatekeeper,
      packages: options.events ?? { contentTypes: {}, onSubscribe: ({ refuse }) => refuse(489) },
      onRefusal,
    })
    const parts = { gatekeeper, registrar: this.#registrar, notifier: this.#notifier }
    this.#dispatcher = new RequestDispatcher(this.#core, parts, {
      onInvite,
      onRefusal,
      onIdentified: (sipCallId) => options.trace?.identified(sipCallId),
      accepts,
      takesCalls: options.takesCalls ?? (() => true),
      onBegun: (peer) =>
        peer.kind === 'trunk' ? this.#trunks.get(peer.trunk)?.callBegun('inbound') : undefined,
    })
    this.upgrade = this.#transports.upgrade
  }

  /** Opens all sockets, then contacts the carriers. Returns where each socket listens. */
  async listen(...at: ListenAt[]): Promise<TransportAddress[]> {
    const endpoints: TransportAddress[] = []
    for (const each of at) endpoints.push(await this.#transports.listen(each))
    this.setTrunks(this.#options.trunks ?? [])
    return endpoints
  }

  /** Replaces the carriers; those that did not change are left alone. */
  setTrunks(configs: TrunkConfig[]): void {
    for (const [name, trunk] of this.#trunks) {
      const next = configs.find((config) => config.name === name)
      if (next && JSON.stringify(next) === JSON.stringify(trunk.config)) continue
      this.#trunks.delete(name)
      inBackground(this.#core.log, 'deregister from a carrier', trunk.close())
    }
    for (const config of configs) {
      if (this.#trunks.has(config.name)) continue
      const trunk = new Trunk(this.#core, config, (change) => this.#options.onTrunk?.(change))
      this.#trunks.set(config.name, trunk)
    }
  }

  trunkStates(): TrunkState[] {
    return [...this.#trunks.values()].map(({ state }) => state)
  }

  /** Which hosts of a carrier respond to OPTIONS, whether or not it is one of our trunks. */
  probeTrunk(config: TrunkConfig): Promise<{ place: string; isUp: boolean }[]> {
    return Promise.all(
      placesOf(config).map(async (place) => ({
        place,
        isUp: await respondsToOptions(this.#core, config, place),
      })),
    )
  }

  /** What the carrier says about our registration there, without changing it. */
  queryRegistration(config: TrunkConfig): Promise<RegistrationQuery> {
    return queryRegistration(this.#core, config)
  }

  /** Sources that are ignored because they guessed passwords. */
  get blockedSources(): number {
    return this.#authenticator.blockedSources
  }

  /** Subscriptions of phones. */
  get subscriptions(): number {
    return this.#notifier.count
  }

  /** The users of phones that have subscriptions. */
  subscribers(): string[] {
    return this.#notifier.usernames()
  }

  bindingsOf(username: string): Promise<Binding[]> {
    return this.#registrar.bindingsOf(username)
  }

  /** Places a call and returns at once; the events report its progress. */
  invite(target: InviteTarget, options: InviteOptions): OutgoingCall {
    const trunk = target.to === 'trunk' ? this.#trunks.get(target.trunk) : undefined
    const credentials = options.credentials ?? trunk?.config.credentials
    const routes = this.#routesTo(target)
    if (target.to !== 'device') {
      const onEnded = trunk?.callBegun('outbound')
      return new PlacedCall(this.#core, routes, options, { credentials, ...(onEnded && { onEnded }) })
    }
    const { binding } = target
    const onSilent = () => this.#lose(binding)
    const call = new PlacedCall(this.#core, routes, options, { credentials, onSilent })
    this.#watchUnanswered(call, binding.username)
    return call
  }

  /** A device that does not respond is not rung until it registers again, which a page that was only slow does. */
  async #lose(binding: Binding): Promise<void> {
    const isLost = await this.#registrar.lose(binding).catch((err: unknown) => {
      this.#core.log.warn({ err }, 'a device that does not respond could not be deregistered')
    })
    if (isLost) this.#hangUpOnBrowser(binding)
  }

  /** Only a WebSocket belongs to one user; other connections may be shared. */
  #hangUpOnBrowser({ flowId, protocol }: Binding): void {
    if (protocol === 'ws' || protocol === 'wss') this.#transports.closeFlow(flowId)
  }

  #watchUnanswered(call: PlacedCall, username: string): void {
    const calls = this.#unanswered.get(username) ?? new Set()
    this.#unanswered.set(username, calls.add(call))
    const forget = () => {
      calls.delete(call)
      if (calls.size === 0) this.#unanswered.delete(username)
    }
    inBackground(this.#core.log, 'forget a call that was answered or ended', call.settled.then(forget))
  }

  /**
   * Deregisters a deleted user, ends its subscriptions and cancels calls that ring there; answered calls go on. Closes
   * the WebSocket of a browser, so that its page notices.
   */
  async forget(username: string): Promise<void> {
    for (const call of this.#unanswered.get(username) ?? []) call.hangUp()
    inBackground(this.#core.log, 'end the subscriptions of a deleted user', this.#notifier.forget(username))
    for (const binding of await this.#registrar.forget(username)) this.#hangUpOnBrowser(binding)
  }

  /** Deregisters from carriers, ends subscriptions and closes all sockets. Live calls are not hung up. */
  async close(): Promise<void> {
    const leaving = [...[...this.#trunks.values()].map((trunk) => trunk.close()), this.#notifier.leave()]
    await withTimeout(this.#core.clock, LEAVE_MS, Promise.all(leaving))
    this.#trunks.clear()
    this.#registrar.close()
    this.#authenticator.close()
    for (const dialog of this.#core.dialogs.values()) dialog.close()
    this.#core.transactions.close()
    await this.#transports.close()
  }

  #routesTo(target: InviteTarget): CallRoute[] {
    switch (target.to) {
      case 'trunk':
        return this.#trunks.get(target.trunk)?.routesTo(target.number) ?? []
      case 'uri': {
        const flows = () => this.#flowsTo(target.uri, 'udp')
        return [{ uri: target.uri, path: [], flows, staysOnFlow: false }]
      }
      case 'device': {
        const { uri, path, isProxied } = target.binding
        const flows = isProxied
          ? () => this.#flowsTo(routeUri(path[0]!), 'udp')
          : () => Promise.resolve([() => this.#flowToDevice(target.binding)])
        return [{ uri, path, flows, staysOnFlow: true }]
      }
    }
  }

  /** A device is reached on the flow on which it registered: its connection, or the source of its datagrams. */
  async #flowToDevice({ flowId, protocol, remote }: Binding): Promise<Flow> {
    const open = this.#transports.openFlow(flowId)
    return open ?? this.#transports.flowTo({ protocol, ...remote })
  }

  async #flowsTo(text: string, otherwise: Protocol): Promise<OpenFlow[]> {
    const uri = parseUri(text)
    if (!uri || !isSipUri(uri)) throw new Error('cannot send to this URI')
    const named = uri.params.get('transport')?.toLowerCase()
    const protocol = uri.scheme === 'sips' ? 'tls' : isProtocol(named) ? named : otherwise
    const host = uri.params.get('maddr') ?? uri.host
    const endpoints = await resolveSipServers(this.#dns, this.#core.chance.fraction, {
      host,
      port: uri.port,
      protocol,
      families: this.#transports.families(protocol),
    })
    return endpoints.map(
      (endpoint) => () =>
        this.#transports.flowTo({ protocol, serverName: unbracketed(uri.host), ...endpoint }),
    )
  }

  #receive(transaction: ServerTransaction): void {
    this.#dispatcher.receive(transaction).catch((error: unknown) => {
      this.#core.log.error({ err: error }, 'handling a SIP request failed')
      transaction.respond(respondTo(transaction.request, 500))
    })
  }

  /** A message that fails concerns one call; the sockets serve all of them. */
  #guarded(run: () => void): void {
    try {
      run()
    } catch (err) {
      this.#core.log.error({ err }, 'handling a SIP message failed')
    }
  }

  #flowClosed(flow: Flow): void {
    this.#guarded(() => this.#core.transactions.flowClosed(flow))
    this.#guarded(() => this.#registrar.flowClosed(flow))
    for (const owner of this.#core.dialogs.values()) this.#guarded(() => owner.flowClosed(flow))
  }
}

const LEAVE_MS = 2_000

function transportOptions(
  { clock, tls, advertised, proxies = [], onRefusal, trace }: UserAgentOptions,
  gatekeeper: PeerAuthenticator,
) {
  return {
    clock,
    ...(onRefusal && { onRefusal }),
    ...(trace && { onSent: trace.sent }),
    admit: (address: string) => gatekeeper.admit(address),
    ...(proxies.length > 0 && { isProxy: networkMatcher([...proxies]) }),
    ...(tls && { tls }),
    ...(advertised !== undefined && { advertised }),
  }
}
