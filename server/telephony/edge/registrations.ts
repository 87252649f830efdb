import { removeRegistration, saveRegistration } from '../../modules/devices/index.ts'
import { inTurn } from '../../platform/async/in-turn.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { type Binding, type Bindings, MemoryBindings } from '../../sip/index.ts'
import { bindingName } from './peer-edges.ts'

/**
 * The bindings of devices at this edge. The database has them for everyone else; this edge keeps its own copy to
 * respond to refreshes and to ring.
 *
 * A page that is reloaded closes one connection and registers over the next at the same time. The changes of one binding
 * therefore reach the database one after another, and a removal leaves a binding alone that has replaced its own.
 */
export class EdgeRegistrations implements Bindings {
  readonly #db: Database
  readonly #edgeId: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #memory = new MemoryBindings()
  /** By `bindingName`, like the following. */
  readonly #known = new Map<string, Binding>()
  /** Changes that the database does not have yet: removed bindings, and new ones. */
  readonly #unremoved = new Map<string, Binding>()
  readonly #unkept = new Map<string, Binding>()
  readonly #inTurn = inTurn()

  constructor(parts: { db: Database; edgeId: string; clock: Clock; log: Log }) {
    this.#db = parts.db
    this.#edgeId = parts.edgeId
    this.#clock = parts.clock
    this.#log = parts.log
  }

  list(username: string): Promise<Binding[]> {
    return this.#memory.list(username)
  }

  put(binding: Binding): Promise<void> {
    const line = lineOf(binding)
    return this.#inTurn(line, async () => {
      const isKept = await saveRegistration(this.#db, this.#registrationOf(binding))
      if (!isKept) throw new Error('the device was deleted while it registered')
      this.#unremoved.delete(line)
      this.#unkept.delete(line)
      this.#known.set(line, binding)
      await this.#memory.put(binding)
    })
  }

  async remove(binding: Binding): Promise<void> {
    const line = lineOf(binding)
    if (this.#known.get(line) === binding) this.#known.delete(line)
    await this.#memory.remove(binding)
    await this.#inTurn(line, async () => {
      try {
        await this.#removeUnlessReplaced(binding)
      } catch (err) {
        this.#log.warn({ err }, 'a registration could not be removed; retrying')
        this.#unremoved.set(line, binding)
      }
    })
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
    await this.#tell(this.#unremoved, (binding) => this.#removeUnlessReplaced(binding))
    await this.#tell(this.#unkept, async (binding) => {
      if (this.#known.get(lineOf(binding)) === binding && binding.expiresAt > this.#clock.now())
        await saveRegistration(this.#db, this.#registrationOf(binding))
    })
  }

  /** Writes all bindings again, for an edge that was wrongly reaped. */
  async restore(): Promise<void> {
    for (const [line, binding] of this.#known) this.#unkept.set(line, binding)
    await this.catchUp()
  }

  async #tell(untold: Map<string, Binding>, tell: (binding: Binding) => Promise<void>): Promise<void> {
    for (const [line, binding] of untold) {
      try {
        await this.#inTurn(line, () => tell(binding))
        // Unless it has changed again meanwhile.
        if (untold.get(line) === binding) untold.delete(line)
      } catch (err) {
        this.#log.warn({ err }, 'a registration could not be stored; retrying')
        // The database may be unavailable, so stop; this one is retried last, so that it does not block the others.
        untold.delete(line)
        untold.set(line, binding)
        return
      }
    }
  }

  async #removeUnlessReplaced(binding: Binding): Promise<void> {
    if (this.#known.has(lineOf(binding))) return
    const { username, key } = binding
    await removeRegistration(this.#db, { username, key, edgeId: this.#edgeId })
  }

  #registrationOf(binding: Binding) {
    const { username, key, expiresAt } = binding
    const forMs = expiresAt.getTime() - this.#clock.now().getTime()
    return { username, key, edgeId: this.#edgeId, binding, forMs }
  }
}

const lineOf = ({ username, key }: Binding) => bindingName(username, key)
