import type { ControlParts } from '../call/customer-call.ts'
import type { Leg } from '../call/leg.ts'
import { holdMusic } from '../sound/hold-music.ts'

/** What the customer hears: the employee, or hold music. */
export class CustomerAudio {
  readonly #parts: ControlParts
  readonly #customer: Leg
  #stopMusic: (() => void) | undefined

  constructor(parts: ControlParts, customer: Leg) {
    this.#parts = parts
    this.#customer = customer
  }

  /** Connects the two, unless the employee has put the customer on hold. */
  async join(employee: Leg): Promise<void> {
    if (employee.isHeld) return this.keepWaiting()
    this.#stopMusic?.()
    this.#stopMusic = undefined
    if (this.#customer.isOver || employee.isOver) return
    await this.#parts.edge.media.bridge(this.#customer.sound, employee.sound)
  }

  /** Connects the customer with all employees who have not put the call on hold. */
  async joinAll(employees: Leg[]): Promise<void> {
    const talking = employees.filter((leg) => !leg.isHeld && !leg.isOver)
    for (const leg of employees)
      if (leg.isHeld && !leg.isOver) await this.#parts.edge.media.separate(leg.sound)
    if (talking.length === 0) return this.keepWaiting()
    this.#stopMusic?.()
    this.#stopMusic = undefined
    if (this.#customer.isOver) return
    await this.#parts.edge.media.mix([this.#customer, ...talking].map(({ sound }) => sound))
  }

  async keepWaiting(): Promise<void> {
    if (this.#stopMusic || this.#customer.isOver) return
    await this.#parts.edge.media.separate(this.#customer.sound)
    this.#stopMusic = await this.#parts.sounds.loop(this.#customer.sound, holdMusic())
  }
}
