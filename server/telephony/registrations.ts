import { dropRegistration, keepRegistration } from '../modules/devices/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import { type Binding, type Bindings, MemoryBindings } from '../sip/index.ts'
import { lineName } from './peer-edges.ts'

/**
 * Where the devices of this edge are reached. The database has it for everyone else; what this edge needs itself, to
 * answer a refresh or to ring, it remembers.
 */
export class EdgeRegistrations implements Bindings {
  readonly #db: Database
  readonly #edgeId: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #memory = new MemoryBindings()
  /** By `lineName`. */
  readonly #known = new Map<string, Binding>()
  /** What the database could not be told yet. */
  readonly #unremoved = new Map<string, { username: string; key: string }>()

  constructor(parts: { db: Database; edgeId: string; clock: Clock; log: Log }) {
    this.#db = parts.db
    this.#edgeId = parts.edgeId
    this.#clock = parts.clock
    this.#log = parts.log
  }

  list(username: string): Promise<Binding[]> {
    return this.#memory.list(username)
  }

  async put(binding: Binding): Promise<void> {
    const { username, key } = binding
    this.#unremoved.delete(lineName(username, key))
    const isKept = await keepRegistration(this.#db, this.#registrationOf(binding))
    if (!isKept) throw new Error('the device was removed while it registered')
    this.#known.set(lineName(username, key), binding)
    await this.#memory.put(binding)
  }

  async remove(username: string, key: string): Promise<void> {
    this.#known.delete(lineName(username, key))
    await this.#memory.remove(username, key)
    try {
      await dropRegistration(this.#db, { username, key, edgeId: this.#edgeId })
    } catch (err) {
      this.#log.warn({ err }, 'a registration could not be removed; it is tried again')
      this.#unremoved.set(lineName(username, key), { username, key })
    }
  }

  /** By the name that other edges know it by. */
  findLine(name: string): Binding | undefined {
    return this.#known.get(name)
  }

  /** What the database missed while it was away. */
  async catchUp(): Promise<void> {
    for (const [line, { username, key }] of this.#unremoved) {
      await dropRegistration(this.#db, { username, key, edgeId: this.#edgeId })
      this.#unremoved.delete(line)
    }
  }

  /** All of it anew, for an edge that was taken for dead. */
  async restore(): Promise<void> {
    const now = this.#clock.now()
    for (const binding of this.#known.values()) {
      if (binding.expiresAt > now) await keepRegistration(this.#db, this.#registrationOf(binding))
    }
  }

  #registrationOf(binding: Binding) {
    const { username, key, expiresAt } = binding
    const forMs = expiresAt.getTime() - this.#clock.now().getTime()
    return { username, key, edgeId: this.#edgeId, binding, forMs }
  }
}
