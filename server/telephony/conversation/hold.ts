import type { ControlParts } from '../call/customer-call.ts'
import type { Leg } from '../call/leg.ts'
import { holdMusic } from '../sound/hold-music.ts'

/** Whom the customer of a conversation hears: an employee, or music. */
export class CustomerSound {
  readonly #parts: ControlParts
  readonly #customer: Leg
  #stopMusic: (() => void) | undefined

  constructor(parts: ControlParts, customer: Leg) {
    this.#parts = parts
    this.#customer = customer
  }

  /** The two hear each other, unless the employee's phone holds the customer. */
  async join(employee: Leg): Promise<void> {
    if (employee.isHeld) return this.keepWaiting()
    this.#stopMusic?.()
    this.#stopMusic = undefined
    if (this.#customer.isOver || employee.isOver) return
    await this.#parts.exchange.media.bridge(this.#customer.sound, employee.sound)
  }

  async keepWaiting(): Promise<void> {
    if (this.#stopMusic || this.#customer.isOver) return
    await this.#parts.exchange.media.separate(this.#customer.sound)
    this.#stopMusic = await this.#parts.sounds.loop(this.#customer.sound, holdMusic)
  }
}
