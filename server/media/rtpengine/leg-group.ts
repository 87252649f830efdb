import type { LegId } from '../port.ts'
import type { NegotiatedAudio } from '../sdp/negotiate.ts'
import type { Transport } from '../sdp/remote-audio.ts'
import type { Instance, Instances } from './control/instances.ts'
import { type CallSide, createRelayCall, type RelayCall } from './control/relay-call.ts'
import type { RelayEnd } from './control/relay-sdp.ts'

/** A leg whose other side talks to rtpengine, and rtpengine either to this process or to another such leg. */
export interface RelayedLeg {
  readonly id: LegId
  readonly group: LegGroup
  transport: Transport
  /** Its two sides at rtpengine: the participant, and the media of this process. */
  outside: CallSide
  inside: CallSide
  /** Our address and keys at rtpengine; undefined before they are allocated and after its instance is gone. */
  end: RelayEnd | undefined
  session: NegotiatedAudio | undefined
  /** What rtpengine knows of the participant, and of this process. */
  outsideSdp: string | undefined
  insideSdp: string
  /** Connected with this one at rtpengine, past this process. */
  peer: RelayedLeg | undefined
  /** Packets that never reached this process. */
  passed: { received: number; sent: number }
  /** When its silence was last reported. */
  quietMs: number
}

/** Legs that will probably talk to each other: they are in one call at one instance of rtpengine. */
export interface LegGroup {
  legs: Set<RelayedLeg>
  /** Undefined if it has not begun, or its instance is gone. */
  call: RelayCall | undefined
  /** The call; a new one, on none of these instances, if there is none. */
  begin(except?: ReadonlySet<Instance>): RelayCall
  /** Throws if there is no other. */
  chooseOther(except: ReadonlySet<Instance>): Instance
  /** What changes at rtpengine is done one after the other. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createLegGroup(instances: Instances): LegGroup {
  let last: Promise<unknown> = Promise.resolve()
  const group: LegGroup = {
    legs: new Set(),
    call: undefined,
    begin: (except = new Set()) => (group.call ??= createRelayCall(instances.choose(except))),
    chooseOther: (except) => instances.choose(except),
    run(work) {
      const done = last.then(work)
      last = done.catch(() => {})
      return done
    },
  }
  return group
}
