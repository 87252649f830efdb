import type { PhoneCall } from '../state.ts'
import type { Speaker } from './speaker.ts'

/** Is told of a call that rings; what it returns is called when it rings no more. */
export type RingListener = (call: PhoneCall) => () => void

/** Everything that calls somebody to the phone: its sound, and whoever else wants to say so. */
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
