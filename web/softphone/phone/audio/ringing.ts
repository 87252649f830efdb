import type { PhoneCall } from '../state.ts'
import type { Speaker } from './speaker.ts'

/** Called when a call rings; the returned function is called when it stops. */
export type RingListener = (call: PhoneCall) => () => void

/** Everything that announces a call: the ringtone, and other listeners. */
export function createRinging(speaker: Pick<Speaker, 'ring' | 'quiet'>) {
  const listeners = new Set<RingListener>()
  const endings = new Map<RingListener, () => void>()
  let ringing: PhoneCall | undefined

  function endFor(listener: RingListener): void {
    endings.get(listener)?.()
    endings.delete(listener)
  }

  return {
    start(call: PhoneCall): void {
      speaker.ring()
      ringing = call
      for (const listener of listeners) endings.set(listener, listener(call))
    },
    stop(): void {
      speaker.quiet()
      ringing = undefined
      for (const listener of listeners) endFor(listener)
    },
    /** A call may ring before everything that announces it is loaded: it is told at once then. */
    onRing(listener: RingListener): () => void {
      listeners.add(listener)
      if (ringing) endings.set(listener, listener(ringing))
      return () => {
        listeners.delete(listener)
        endFor(listener)
      }
    },
  }
}
