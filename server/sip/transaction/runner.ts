import type { Clock } from '../../platform/clock.ts'
import type { Effect, Step } from './machine.ts'

/** What the owner does for a machine, apart from its timers. */
export interface EffectHandlers {
  send(): void
  sendAck?(): void
  sendTrying?(): void
  deliver(): void
  fail?(why: 'timeout' | 'transport'): void
  end(): void
}

type Stepper<State, Input, Timer extends string> = (
  state: State,
  input: Input | { on: 'timer'; timer: Timer },
  isReliable: boolean,
) => Step<State, Timer>

/** Has the state and the timers of one machine, and carries out its effects. */
export class MachineRunner<State, Input, Timer extends string> {
  #state: State
  readonly #clock: Clock
  readonly #isReliable: boolean
  readonly #first: Effect<Timer>[]
  readonly #step: Stepper<State, Input, Timer>
  readonly #acts: EffectHandlers
  readonly #timers = new Map<Timer, () => void>()
  #ended = false

  constructor(
    clock: Clock,
    isReliable: boolean,
    first: Step<State, Timer>,
    step: Stepper<State, Input, Timer>,
    acts: EffectHandlers,
  ) {
    this.#clock = clock
    this.#isReliable = isReliable
    this.#state = first.state
    this.#first = first.effects
    this.#step = step
    this.#acts = acts
  }

  start(): void {
    for (const effect of this.#first) this.#do(effect)
  }

  input(input: Input | { on: 'timer'; timer: Timer }): void {
    const { state, effects } = this.#step(this.#state, input, this.#isReliable)
    this.#state = state
    for (const effect of effects) this.#do(effect)
  }

  stop(): void {
    this.#ended = true
    for (const stop of this.#timers.values()) stop()
    this.#timers.clear()
  }

  #do(effect: Effect<Timer>): void {
    switch (effect.do) {
      case 'startTimer':
        return this.#startTimer(effect.timer, effect.ms)
      case 'stopTimer':
        this.#timers.get(effect.timer)?.()
        this.#timers.delete(effect.timer)
        return
      case 'fail':
        return this.#acts.fail?.(effect.why)
      case 'end':
        this.stop()
        return this.#acts.end()
      default:
        return this.#acts[effect.do]?.()
    }
  }

  #startTimer(timer: Timer, ms: number): void {
    // A send that fails at once terminates the machine before its remaining effects.
    if (this.#ended) return
    this.#timers.get(timer)?.()
    this.#timers.set(
      timer,
      this.#clock.after(ms, () => {
        this.#timers.delete(timer)
        this.input({ on: 'timer', timer })
      }),
    )
  }
}
