import type { CallEndReason, CallEvent } from './call/call.ts'

/** Passes events to one listener; earlier events are kept for it. */
export class CallEventBuffer {
  #listener: ((event: CallEvent) => void) | undefined
  #kept: CallEvent[] = []
  readonly #onEnded: ((ending: CallEndReason) => void) | undefined
  #isOver = false

  constructor(onEnded?: (ending: CallEndReason) => void) {
    this.#onEnded = onEnded
  }

  get isOver(): boolean {
    return this.#isOver
  }

  readonly emit = (event: CallEvent): void => {
    if (this.#isOver) return
    this.#isOver = event.type === 'ended'
    if (event.type === 'ended') this.#onEnded?.(event.ending)
    if (this.#listener) this.#listener(event)
    else this.#kept.push(event)
  }

  listen(listener: (event: CallEvent) => void): void {
    this.#listener = listener
    for (const event of this.#kept.splice(0)) listener(event)
  }
}
