import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { inBackground } from '../../platform/background.ts'
import { type Clock, inTime } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { Authenticator } from '../auth/authenticator.ts'
import type { Algorithm } from '../auth/digest.ts'
import { type Chance, systemChance } from '../chance.ts'
import { dialogKeyOf } from '../dialog/dialog.ts'
import { respondTo } from '../message/create.ts'
import { isSipUri, parseUri } from '../message/grammar/uri.ts'
import { printMessage } from '../message/print.ts'
import { type Binding, type Bindings, MemoryBindings } from '../registrar/bindings.ts'
import { Registrar, type RegistrationChange } from '../registrar/registrar.ts'
import type { ServerTransaction } from '../transaction/server-transaction.ts'
import { Transactions } from '../transaction/transactions.ts'
import type { Endpoint, Flow, Protocol } from '../transport/flow.ts'
import { type Dns, createDns, resolveHost } from '../transport/resolve.ts'
import type { TlsOptions } from '../transport/stream.ts'
import { type ListenAt, Transports } from '../transport/transports.ts'
import type { TrunkConfig } from '../trunk/config.ts'
import { Trunk, type TrunkChange } from '../trunk/trunk.ts'
import type { IncomingCall, OutgoingCall } from './call/call.ts'
import { type InviteOptions, PlacedCall } from './call/outgoing-call.ts'
import type { Core, DialogOwner, Way } from './core.ts'
import { type Accounts, Gatekeeper } from './gatekeeper.ts'
import { RequestDesk } from './request-desk.ts'
import type { Route } from './routes.ts'

export interface UserAgentOptions {
  clock: Clock
  log: Log
  chance?: Chance
  dns?: Dns
  /** What passwords are for: part of their hashes, and shown to whoever is challenged. */
  realm: string
  /** Seals our nonces; processes that share it take over each other's. */
  secret: Buffer
  /** What we challenge with. MD5 alone unless told otherwise: phones that do not know SHA-256 give up on seeing it. */
  algorithms?: Algorithm[]
  tls?: TlsOptions
  /** The address that peers outside reach us at, where it is not our own. */
  advertised?: string
  accounts: Accounts
  bindings?: Bindings
  trunks?: TrunkConfig[]
  /** What the body of an INVITE may be. */
  accepts?: string[]
  onInvite(call: IncomingCall): void
  onRegistration?(change: RegistrationChange): void
  onTrunk?(change: TrunkChange): void
}

/** Whom to call. */
export type Target =
  | { to: 'uri'; uri: string }
  | { to: 'device'; binding: Binding }
  | { to: 'trunk'; trunk: string; number: string }

/** The telephone exchange as a peer sees it: it registers phones, takes calls and places them. */
export class UserAgent {
  readonly #core: Core
  readonly #transports: Transports
  readonly #registrar: Registrar
  readonly #desk: RequestDesk
  readonly #dns: Dns
  readonly #options: UserAgentOptions
  readonly #trunks = new Map<string, Trunk>()
  /** Calls to devices, by user. */
  readonly #unanswered = new Map<string, Set<PlacedCall>>()
  /** For the upgrade of an HTTP connection at `/sip`. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void

  constructor(options: UserAgentOptions) {
    const { clock, log, chance = systemChance, realm, secret, accounts } = options
    this.#options = options
    this.#dns = options.dns ?? createDns()
    this.#registrar = new Registrar(clock, log, options.bindings ?? new MemoryBindings(), (change) =>
      options.onRegistration?.(change),
    )
    const algorithms = options.algorithms ?? ['MD5']
    const gatekeeper = new Gatekeeper({
      clock,
      authenticator: new Authenticator({ clock, token: chance.token, secret, realm, algorithms }),
      accounts,
      trunks: () => this.#trunks.values(),
      isDevice: (address) => this.#registrar.knows(address),
    })
    this.#transports = new Transports(transportOptions(options, gatekeeper), {
      message: (message, flow) => this.#guarded(() => this.#core.transactions.receive(message, flow)),
      badRequest: (request, status, flow) => flow.send(printMessage(respondTo(request, status))),
      closed: (flow) => this.#flowClosed(flow),
    })
    const dialogs = new Map<string, DialogOwner>()
    const transactions = new Transactions(clock, chance.token, {
      request: (transaction) => this.#receive(transaction),
      ack: (request) => dialogs.get(dialogKeyOf(request))?.acknowledge(request),
    })
    const waysTo = (uri: string, otherwise: Protocol) => this.#waysTo(uri, otherwise)
    this.#core = { clock, log, chance, transactions, dialogs, waysTo }
    const { onInvite, accepts = ['application/sdp'] } = options
    this.#desk = new RequestDesk(this.#core, gatekeeper, this.#registrar, { onInvite, accepts })
    this.upgrade = this.#transports.upgrade
  }

  /** Opens all sockets, and only then turns to the carriers. Says where each listens. */
  async listen(...at: ListenAt[]): Promise<Endpoint[]> {
    const endpoints: Endpoint[] = []
    for (const each of at) endpoints.push(await this.#transports.listen(each))
    this.setTrunks(this.#options.trunks ?? [])
    return endpoints
  }

  /** The carriers from now on; those that stay the same go on undisturbed. */
  setTrunks(configs: TrunkConfig[]): void {
    for (const [name, trunk] of this.#trunks) {
      const next = configs.find((config) => config.name === name)
      if (next && JSON.stringify(next) === JSON.stringify(trunk.config)) continue
      this.#trunks.delete(name)
      inBackground(this.#core.log, 'take leave of a carrier', trunk.close())
    }
    for (const config of configs) {
      if (this.#trunks.has(config.name)) continue
      const trunk = new Trunk(this.#core, config, (change) => this.#options.onTrunk?.(change))
      this.#trunks.set(config.name, trunk)
    }
  }

  bindingsOf(username: string): Promise<Binding[]> {
    return this.#registrar.bindingsOf(username)
  }

  /** Places a call. It is under way when this returns; its events say how it goes. */
  invite(target: Target, options: InviteOptions): OutgoingCall {
    const trunk = target.to === 'trunk' ? this.#trunks.get(target.trunk) : undefined
    const credentials = options.credentials ?? trunk?.config.credentials
    const routes = this.#routesTo(target)
    if (target.to !== 'device') return new PlacedCall(this.#core, routes, options, { credentials })
    const { binding } = target
    const onSilent = () => this.#lose(binding)
    const call = new PlacedCall(this.#core, routes, options, { credentials, onSilent })
    this.#watchUnanswered(call, binding.username)
    return call
  }

  /** A device that is silent is reached no more until it registers again, which a page does that was only slow. */
  async #lose(binding: Binding): Promise<void> {
    const isLost = await this.#registrar.lose(binding).catch((err: unknown) => {
      this.#core.log.warn({ err }, 'a device that does not answer could not be forgotten')
    })
    if (isLost) this.#hangUpOnBrowser(binding)
  }

  /** Other connections may be shared with other users. */
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
    inBackground(this.#core.log, 'forget a call that was answered or has ended', call.settled.then(forget))
  }

  /**
   * A user is gone: they are not reached any more, and what rings at them stops; a call that was answered goes on. The
   * WebSocket of a browser is closed, which tells its page.
   */
  async forget(username: string): Promise<void> {
    for (const call of this.#unanswered.get(username) ?? []) call.hangUp()
    for (const binding of await this.#registrar.forget(username)) this.#hangUpOnBrowser(binding)
  }

  /** Takes leave of carriers and closes all sockets. Calls that are still up are not hung up, but left alone. */
  async close(): Promise<void> {
    const leaving = [...this.#trunks.values()].map((trunk) => trunk.close())
    await inTime(this.#core.clock, LEAVE_MS, Promise.all(leaving))
    this.#trunks.clear()
    this.#registrar.close()
    for (const dialog of this.#core.dialogs.values()) dialog.close()
    this.#core.transactions.close()
    await this.#transports.close()
  }

  #routesTo(target: Target): Route[] {
    switch (target.to) {
      case 'trunk':
        return this.#trunks.get(target.trunk)?.routesTo(target.number) ?? []
      case 'uri': {
        const ways = () => this.#waysTo(target.uri, 'udp')
        return [{ uri: target.uri, path: [], ways, staysOnFlow: false }]
      }
      case 'device': {
        const { uri, path } = target.binding
        const ways = () => Promise.resolve([() => this.#flowToDevice(target.binding)])
        return [{ uri, path, ways, staysOnFlow: true }]
      }
    }
  }

  /** A device is reached the way it registered: over its connection, or at the address its datagrams come from. */
  async #flowToDevice({ flowId, protocol, remote }: Binding): Promise<Flow> {
    const open = this.#transports.openFlow(flowId)
    return open ?? this.#transports.flowTo({ protocol, ...remote })
  }

  async #waysTo(text: string, otherwise: Protocol): Promise<Way[]> {
    const uri = parseUri(text)
    if (!uri || !isSipUri(uri)) throw new Error('no way to such a URI')
    const named = uri.params.get('transport')?.toLowerCase()
    const protocol = uri.scheme === 'sips' ? 'tls' : isProtocol(named) ? named : otherwise
    const host = uri.params.get('maddr') ?? uri.host
    const endpoints = await resolveHost(this.#dns, this.#core.chance.fraction, host, uri.port, protocol)
    return endpoints.map(
      (endpoint) => () => this.#transports.flowTo({ protocol, serverName: uri.host, ...endpoint }),
    )
  }

  #receive(transaction: ServerTransaction): void {
    this.#desk.receive(transaction).catch((error: unknown) => {
      this.#core.log.error({ err: error }, 'a SIP request could not be served')
      transaction.respond(respondTo(transaction.request, 500))
    })
  }

  /** A message that cannot be dealt with is that of one call; the sockets are those of all. */
  #guarded(run: () => void): void {
    try {
      run()
    } catch (err) {
      this.#core.log.error({ err }, 'a SIP message could not be dealt with')
    }
  }

  #flowClosed(flow: Flow): void {
    this.#guarded(() => this.#core.transactions.flowClosed(flow))
    this.#guarded(() => this.#registrar.flowClosed(flow))
    for (const owner of this.#core.dialogs.values()) this.#guarded(() => owner.flowClosed(flow))
  }
}

const LEAVE_MS = 2_000

const isProtocol = (name: string | undefined): name is Protocol =>
  name === 'udp' || name === 'tcp' || name === 'tls' || name === 'ws' || name === 'wss'

function transportOptions({ clock, tls, advertised }: UserAgentOptions, gatekeeper: Gatekeeper) {
  return {
    clock,
    admit: (address: string) => gatekeeper.admit(address),
    ...(tls && { tls }),
    ...(advertised !== undefined && { advertised }),
  }
}
