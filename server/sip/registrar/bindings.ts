import type { Endpoint, Protocol } from '../transport/flow.ts'

/** Where a user can be reached: one line of a phone or a browser. */
export interface Binding {
  username: string
  /** Tells the bindings of a user apart: RFC 5626 instance and reg-id, or the contact's URI. */
  key: string
  uri: string
  /** The parameters of the Contact, which the answer repeats. */
  params: [string, string][]
  /** RFC 3327: the proxies on the way. */
  path: string[]
  callId: string
  cseq: number
  expiresAt: Date
  /** The way it came: the same way leads back, through NAT too. */
  flowId: string
  protocol: Protocol
  remote: Endpoint
}

/** Where bindings are kept. */
export interface Bindings {
  list(username: string): Promise<Binding[]>
  put(binding: Binding): Promise<void>
  remove(username: string, key: string): Promise<void>
}

/** Bindings of one process, which forgets them when it ends. */
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

  remove(username: string, key: string): Promise<void> {
    const own = this.#users.get(username)
    own?.delete(key)
    if (own?.size === 0) this.#users.delete(username)
    return Promise.resolve()
  }
}
