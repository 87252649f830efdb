import type { Protocol, TransportAddress } from '../transport/flow.ts'

/** One Contact address of a phone or browser at which a user can be reached. */
export interface Binding {
  username: string
  /** Distinguishes the bindings of a user: instance and reg-id of RFC 5626, or the Contact URI. */
  key: string
  uri: string
  /** The parameters of the Contact, which the response repeats. */
  params: [string, string][]
  /** RFC 3327: the proxies on the path. */
  path: string[]
  callId: string
  cseq: number
  expiresAt: Date
  /** The flow on which it registered. Calls take the same flow, because it works through NAT. */
  flowId: string
  /** It registered through a trusted proxy: calls take its path, and any process may place them. */
  isProxied: boolean
  protocol: Protocol
  remote: TransportAddress
}

/** Storage of bindings. */
export interface Bindings {
  list(username: string): Promise<Binding[]>
  put(binding: Binding): Promise<void>
  /** A binding that has replaced it since stays. */
  remove(binding: Binding): Promise<void>
}

/** Bindings in the memory of one process. */
export class MemoryBindings implements Bindings {
  readonly #users = new Map<string, Map<string, Binding>>()

  list(username: string): Promise<Binding[]> {
    return Promise.resolve([...(this.#users.get(username)?.values() ?? [])])
  }

  put(binding: Binding): Promise<void> {
    const own = this.#users.get(binding.username) ?? new Map<string, Binding>()
    this.#users.set(binding.username, own.set(binding.key, binding))
    return Promise.resolve()
  }

  remove(binding: Binding): Promise<void> {
    const { username, key } = binding
    const own = this.#users.get(username)
    if (own?.get(key) === binding) own.delete(key)
    if (own?.size === 0) this.#users.delete(username)
    return Promise.resolve()
  }
}
