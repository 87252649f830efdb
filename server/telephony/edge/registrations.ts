import { removeRegistration, saveRegistration } from '../../modules/devices/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { type Binding, type Bindings, MemoryBindings } from '../../sip/index.ts'
import { bindingName } from './peer-edges.ts'

/**
 * The bindings of devices at this edge. The database has them for everyone else; this edge keeps its own copy to
 * respond to refreshes and to ring.
 */
export class EdgeRegistrations implements Bindings {
  readonly #db: Database
  readonly #edgeId: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #memory = new MemoryBindings()
  /** By `bindingName`. */
  readonly #known = new Map<string, Binding>()
  /** Changes that the database does not have yet: removed bindings, and new ones. */
  readonly #unremoved = new Map<string, { username: string; key: string }>()
  readonly #unkept = new Map<string, Binding>()

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
    this.#unremoved.delete(bindingName(username, key))
    this.#unkept.delete(bindingName(username, key))
    const isKept = await saveRegistration(this.#db, this.#registrationOf(binding))
    if (!isKept) throw new Error('the device was deleted while it registered')
    this.#known.set(bindingName(username, key), binding)
    await this.#memory.put(binding)
  }

  async remove(username: string, key: string): Promise<void> {
    this.#known.delete(bindingName(username, key))
    this.#unkept.delete(bindingName(username, key))
    await this.#memory.remove(username, key)
    try {
      await removeRegistration(this.#db, { username, key, edgeId: this.#edgeId })
    } catch (err) {
      this.#log.warn({ err }, 'a registration could not be removed; retrying')
      this.#unremoved.set(bindingName(username, key), { username, key })
    }
  }

  /** Phones that are registered here; one device may be several. */
  get count(): number {
    return this.#known.size
  }

  /** The user names of devices that are registered here. */
  usernames(): string[] {
    return [...new Set([...this.#known.values()].map(({ username }) => username))]
  }

  /** By the name that other edges use. */
  findLine(name: string): Binding | undefined {
    return this.#known.get(name)
  }

  /** Writes the changes that the database missed. A change that fails is retried after the others. */
  async catchUp(): Promise<void> {
    const edgeId = this.#edgeId
    await this.#tell(this.#unremoved, ({ username, key }) =>
      removeRegistration(this.#db, { username, key, edgeId }),
    )
    await this.#tell(this.#unkept, async (binding) => {
      if (binding.expiresAt > this.#clock.now())
        await saveRegistration(this.#db, this.#registrationOf(binding))
    })
  }

  /** Writes all bindings again, for an edge that was wrongly reaped. */
  async restore(): Promise<void> {
    for (const [line, binding] of this.#known) this.#unkept.set(line, binding)
    await this.catchUp()
  }

  async #tell<T>(untold: Map<string, T>, tell: (each: T) => Promise<void>): Promise<void> {
    for (const [line, each] of untold) {
      try {
        await tell(each)
        // Unless it has changed again meanwhile.
        if (untold.get(line) === each) untold.delete(line)
      } catch (err) {
        this.#log.warn({ err }, 'a registration could not be stored; retrying')
        // The database may be unavailable, so stop; this one is retried last, so that it does not block the others.
        untold.delete(line)
        untold.set(line, each)
        return
      }
    }
  }

  #registrationOf(binding: Binding) {
    const { username, key, expiresAt } = binding
    const forMs = expiresAt.getTime() - this.#clock.now().getTime()
    return { username, key, edgeId: this.#edgeId, binding, forMs }
  }
}
