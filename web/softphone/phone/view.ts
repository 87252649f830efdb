import type { MicrophoneProblem } from './audio/microphone.ts'
import type { PhoneState } from './state.ts'

/** What is to be seen of the phone. */
export interface PhoneView {
  state: PhoneState
  microphoneProblem: MicrophoneProblem | null
  /** While it is open. */
  microphone: MediaStream | null
}

export interface Display {
  view(): PhoneView
  show(change: Partial<PhoneView>): void
  subscribe(listener: () => void): () => void
}

/** Holds what is to be seen, and tells whoever looks that it has changed. */
export function createDisplay(): Display {
  const listeners = new Set<() => void>()
  let view: PhoneView = {
    state: { in: 'off', why: 'switched_off' },
    microphoneProblem: null,
    microphone: null,
  }
  return {
    view: () => view,
    show(change) {
      view = { ...view, ...change }
      for (const tell of listeners) tell()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
