import { inBackground } from '../../platform/background.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { SIP_LIMITS } from '../limits.ts'
import { respondTo } from '../message/create.ts'
import { callIdOf, cseqOf, toOf } from '../message/fields.ts'
import { printParams } from '../message/grammar/params.ts'
import { isSipUri, parseUri, sameUri } from '../message/grammar/uri.ts'
import type { SipRequest } from '../message/message.ts'
import type { ReportRefusal } from '../refusal.ts'
import type { ServerTransaction } from '../transaction/server-transaction.ts'
import type { Flow } from '../transport/flow.ts'
import type { Binding, Bindings } from './bindings.ts'
import { readBindingUpdate, type RequestedContact } from './contacts.ts'

export type RegistrationChange = {
  binding: Binding
  change: 'added' | 'refreshed' | 'removed' | 'expired' | 'lost'
}

/** Keeps the bindings of users, until they expire or their connections close. */
export class Registrar {
  readonly #clock: Clock
  readonly #log: Log
  readonly #bindings: Bindings
  readonly #changed: (change: RegistrationChange) => void
  readonly #report: ReportRefusal
  /** Bindings over our own flows: the expiry timer of each, and which users depend on which flow. */
  readonly #watched = new Map<string, { binding: Binding; stop: () => void }>()
  readonly #byFlow = new Map<string, Set<string>>()
  readonly #addresses = new Map<string, number>()

  constructor(
    clock: Clock,
    log: Log,
    bindings: Bindings,
    changed: (change: RegistrationChange) => void,
    onRefusal: ReportRefusal = () => {},
  ) {
    this.#report = onRefusal
    this.#clock = clock
    this.#log = log
    this.#bindings = bindings
    this.#changed = changed
  }

  /** Whether a device is registered from this address. */
  knows(address: string): boolean {
    return this.#addresses.has(address)
  }

  async bindingsOf(username: string): Promise<Binding[]> {
    const now = this.#clock.now()
    return (await this.#bindings.list(username)).filter(({ expiresAt }) => expiresAt > now)
  }

  /** Handles a REGISTER of an authenticated user. */
  async receive(transaction: ServerTransaction, username: string): Promise<void> {
    const { request, flow } = transaction
    const refuse = (status: number, headers = {}) => {
      transaction.respond(respondTo(request, status, { headers }))
      // The phone asks again for as long as we allow.
      if (status === INTERVAL_TOO_BRIEF) return
      const source = flow.origin.remote.address
      const sipCallId = callIdOf(request)
      this.#report({ why: 'not_allowed', source, method: 'REGISTER', username, status, sipCallId })
    }
    const { uri } = toOf(request)
    if (!isSipUri(uri) || uri.user !== username) return refuse(403)
    const wanted = readBindingUpdate(request.headers)
    if (wanted.do === 'refuse') return refuse(wanted.status, wanted.headers)
    const known = await this.bindingsOf(username)
    const contacts =
      wanted.do === 'removeAll' ? known.map((each) => ({ ...each, seconds: 0 })) : wanted.contacts
    // RFC 3261 §10.3, step 7: a REGISTER that arrives out of order must not undo the later one.
    if (contacts.some((contact) => isOvertaken(findBinding(known, contact), request))) return refuse(500)
    for (const contact of contacts)
      await this.#apply(contact, findBinding(known, contact), username, request, flow)
    await this.#dropOldest(username)
    transaction.respond(await this.#accept(request, username))
  }

  /** Deregisters a deleted user. Returns their former bindings. */
  async forget(username: string): Promise<Binding[]> {
    const bindings = await this.#bindings.list(username)
    for (const binding of bindings) await this.#remove(binding, 'removed')
    return bindings
  }

  /** Removes a binding that does not respond; false if it has been refreshed since. */
  async lose({ username, key, callId, cseq }: Binding): Promise<boolean> {
    const known = (await this.#bindings.list(username)).find((each) => each.key === key)
    if (known?.callId !== callId || known.cseq !== cseq) return false
    await this.#remove(known, 'lost')
    return true
  }

  flowClosed(flow: Flow): void {
    for (const id of this.#byFlow.get(flow.id) ?? [])
      inBackground(
        this.#log,
        'remove a registration whose connection closed',
        this.#remove(this.#watched.get(id)!.binding, 'lost'),
      )
  }

  close(): void {
    for (const { stop } of this.#watched.values()) stop()
    this.#watched.clear()
    this.#byFlow.clear()
    this.#addresses.clear()
  }

  async #apply(
    contact: RequestedContact,
    known: Binding | undefined,
    username: string,
    request: SipRequest,
    flow: Flow,
  ): Promise<void> {
    if (contact.seconds === 0) return known && this.#remove(known, 'removed')
    const path = request.headers.list('path') ?? []
    // It outlives the message: see copyText.
    const binding: Binding = structuredClone({
      username,
      key: known?.key ?? contact.key,
      uri: contact.uri,
      params: contact.params,
      path,
      callId: callIdOf(request),
      cseq: cseqOf(request).number,
      expiresAt: new Date(this.#clock.now().getTime() + contact.seconds * 1_000),
      flowId: flow.id,
      isProxied: flow.isProxied && path.length > 0,
      protocol: flow.origin.protocol,
      remote: flow.origin.remote,
    })
    await this.#bindings.put(binding)
    this.#watch(binding, contact.seconds)
    this.#changed({ binding, change: known ? 'refreshed' : 'added' })
    // It closed while the binding was being stored, when nothing depended on it yet.
    if (!flow.isOpen && !binding.isProxied) await this.#remove(binding, 'lost')
  }

  async #dropOldest(username: string): Promise<void> {
    const bindings = await this.bindingsOf(username)
    const oldestFirst = bindings.toSorted((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime())
    const beyond = bindings.length - SIP_LIMITS.bindingsPerUserMax
    for (const binding of oldestFirst.slice(0, Math.max(0, beyond))) await this.#remove(binding, 'removed')
  }

  async #accept(request: SipRequest, username: string) {
    const now = this.#clock.now().getTime()
    const contact = (await this.bindingsOf(username)).map(({ uri, params, expiresAt }) => {
      const seconds = Math.ceil((expiresAt.getTime() - now) / 1_000)
      return `<${uri}>${printParams(new Map(params))};expires=${seconds}`
    })
    const isOutbound =
      request.headers.names('supported', 'outbound') && contact.some((text) => /;reg-id=/.test(text))
    const headers = {
      contact,
      path: request.headers.all('path'),
      supported: 'path, outbound',
      // RFC 5626 §6: confirms that we will use the flow.
      require: isOutbound ? 'outbound' : undefined,
    }
    return respondTo(request, 200, { headers })
  }

  #watch(binding: Binding, seconds: number): void {
    const id = watchId(binding)
    this.#unwatch(id)
    const stop = this.#clock.after(seconds * 1_000, () =>
      inBackground(this.#log, 'remove an expired registration', this.#remove(binding, 'expired')),
    )
    this.#watched.set(id, { binding, stop })
    // The path of a proxy leads to the phone whatever becomes of a connection between the proxy and us.
    if (!binding.isProxied)
      this.#byFlow.set(binding.flowId, (this.#byFlow.get(binding.flowId) ?? new Set()).add(id))
    const { address } = binding.remote
    this.#addresses.set(address, (this.#addresses.get(address) ?? 0) + 1)
  }

  #unwatch(id: string): void {
    const watched = this.#watched.get(id)
    if (!watched) return
    watched.stop()
    this.#watched.delete(id)
    const { flowId, remote } = watched.binding
    const onFlow = this.#byFlow.get(flowId)
    onFlow?.delete(id)
    if (onFlow?.size === 0) this.#byFlow.delete(flowId)
    const left = this.#addresses.get(remote.address)! - 1
    if (left === 0) this.#addresses.delete(remote.address)
    else this.#addresses.set(remote.address, left)
  }

  async #remove(binding: Binding, change: 'removed' | 'expired' | 'lost'): Promise<void> {
    const id = watchId(binding)
    if (this.#watched.get(id)?.binding === binding) this.#unwatch(id)
    await this.#bindings.remove(binding)
    this.#changed({ binding, change })
  }
}

const INTERVAL_TOO_BRIEF = 423

const watchId = ({ username, key }: Binding) => `${username}|${key}`

function findBinding(known: Binding[], { key, uri }: RequestedContact): Binding | undefined {
  const parsed = parseUri(uri)!
  return known.find((each) => each.key === key) ?? known.find((each) => sameUri(parseUri(each.uri)!, parsed))
}

function isOvertaken(known: Binding | undefined, request: SipRequest): boolean {
  return known?.callId === callIdOf(request) && known.cseq >= cseqOf(request).number
}
