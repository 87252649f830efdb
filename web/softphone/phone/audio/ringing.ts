import type { PhoneCall } from '../state.ts'
import type { Speaker } from './speaker.ts'

/** Called when a call rings; the returned function is called when it stops. */
export type RingListener = (call: PhoneCall) => () => void

/** Everything that announces a call: the ringtone, and other listeners. */
export function createRinging(speaker: Speaker) {
  const listeners = new Set<RingListener>()
  let endings: (() => void)[] = []
  return {
    start(call: PhoneCall): void {
      speaker.ring()
      endings = [...listeners].map((tell) => tell(call))
    },
    stop(): void {
      speaker.quiet()
      for (const end of endings.splice(0)) end()
    },
    onRing(listener: RingListener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
