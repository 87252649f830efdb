import { createListeners, type Listeners } from '../../ui/listeners.ts'
import type { MicrophoneProblem } from './audio/microphone.ts'
import type { PhoneState } from './state.ts'

/** The visible state of the phone. */
export interface PhoneView {
  state: PhoneState
  microphoneProblem: MicrophoneProblem | null
  /** While it is open. */
  microphone: MediaStream | null
}

export interface Display extends Pick<Listeners, 'subscribe'> {
  view(): PhoneView
  show(change: Partial<PhoneView>): void
}

/** Has the visible state, and notifies listeners of changes. */
export function createDisplay(): Display {
  const { subscribe, tell } = createListeners()
  let view: PhoneView = {
    state: { in: 'connecting', isLost: false },
    microphoneProblem: null,
    microphone: null,
  }
  return {
    view: () => view,
    show(change) {
      view = { ...view, ...change }
      tell()
    },
    subscribe,
  }
}
