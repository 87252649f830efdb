import { mixFrames } from '../stages/mixer.ts'
import type { MediaLeg } from './media-leg.ts'

interface Mix {
  members: { leg: MediaLeg; stopListening: () => void }[]
}

/** Who hears whom. A leg is in one bridge, in one mix, or alone. */
export function createBridges() {
  const mixes = new Map<MediaLeg, Mix>()
  /** Bridged legs whose packets are decoded, because the other leg needs frames. */
  const transcoded = new Map<MediaLeg, () => void>()

  function separate(leg: MediaLeg): void {
    if (leg.peer) {
      stopTranscoding(leg)
      stopTranscoding(leg.peer)
      leg.peer.peer = undefined
    }
    leg.peer = undefined
    leg.mixed = undefined
    const mix = mixes.get(leg)
    if (!mix) return
    mixes.delete(leg)
    const at = mix.members.findIndex((member) => member.leg === leg)
    mix.members.splice(at, 1)[0]!.stopListening()
    leg.mixedWith = []
    setMixedWith(mix)
  }

  function setMixedWith({ members }: Mix): void {
    const legs = members.map(({ leg }) => leg)
    for (const leg of legs) leg.mixedWith = legs
  }

  function stopTranscoding(leg: MediaLeg): void {
    if (transcoded.size === 0) return
    transcoded.get(leg)?.()
    transcoded.delete(leg)
  }

  /** Sends the frames of a leg to its peer, if its packets cannot be relayed. */
  function transcode(leg: MediaLeg, peer: MediaLeg, atMs: number): void {
    const codec = leg.codec()
    if (!codec || !peer.voice.needsFrames(codec)) return stopTranscoding(leg)
    if (!transcoded.has(leg)) transcoded.set(leg, leg.ear.listen())
    peer.voice.say(leg, leg.ear.frame, atMs)
  }

  return {
    separate,
    bridge(a: MediaLeg, b: MediaLeg): void {
      separate(a)
      separate(b)
      a.peer = b
      b.peer = a
      a.wake()
      b.wake()
    },
    mix(legs: MediaLeg[]): void {
      for (const leg of legs) separate(leg)
      const mix: Mix = { members: legs.map((leg) => ({ leg, stopListening: leg.ear.listen() })) }
      for (const leg of legs) mixes.set(leg, mix)
      setMixedWith(mix)
    },
    /** `failed` is called for each leg that could not be sent to. */
    tick(legs: readonly MediaLeg[], atMs: number, failed: (leg: MediaLeg, err: unknown) => void): void {
      for (const leg of new Set([...withPeers(legs), ...transcoded.keys()])) {
        try {
          if (leg.peer) transcode(leg, leg.peer, atMs)
        } catch (err) {
          failed(leg.peer ?? leg, err)
        }
      }
      for (const mix of new Set(mixes.values())) {
        // A leg that fails leaves the mix during the loop.
        const legs = mix.members.map(({ leg }) => leg)
        const heard = mixFrames(legs.map(({ ear }) => ear.frame))
        legs.forEach((leg, i) => {
          try {
            leg.mixed = heard[i]!
            leg.voice.say(mix, heard[i]!, atMs)
          } catch (err) {
            failed(leg, err)
          }
        })
      }
    },
  }
}

/** What changes for a leg may concern both directions of its bridge. */
const withPeers = (legs: readonly MediaLeg[]): MediaLeg[] =>
  legs.flatMap((leg) => (leg.peer ? [leg, leg.peer] : []))
