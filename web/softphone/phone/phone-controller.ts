import { phoneIsLost } from '../../connection/reachability.ts'
import { stayWhile } from '../../connection/signed-out.ts'
import { onLiveMessage } from '../../live/calls-channel.ts'
import { readActiveCallId, readCustomerOf } from '../queries.ts'
import { createMicrophoneControl } from './audio/microphone-control.ts'
import { watchMicrophone } from './audio/microphone-watch.ts'
import { createRinging } from './audio/ringing.ts'
import { createSpeaker } from './audio/speaker.ts'
import { createConnection } from './connection.ts'
import { forgetCall, keepBeginning, keepCall } from './phone-storage.ts'
import {
  type CallToRejoin,
  hasCall,
  isBeginning,
  isConnected,
  isLineLost,
  isLive,
  isOtherTabs,
  type PhoneEffect,
  type PhoneInput,
  step,
} from './state.ts'
import { createDisplay } from './view.ts'

/** Connects the line, the microphone and the speaker, and runs the effects of the state machine. */
export function createPhoneController(employeeId: string) {
  const display = createDisplay()
  const mouthpiece = createMicrophoneControl(display)
  watchMicrophone(display)
  const speaker = createSpeaker()
  const ringing = createRinging(speaker)
  const connection = createConnection(employeeId, display, {
    input: take,
    sound: speaker.hear,
    isCallGone,
    rejoin: (kept) => void rejoin(kept),
    shut: silence,
  })
  const state = () => display.view().state
  stayWhile(() => isLive(state()))
  // A call that was picked up or taken with a code is stored a moment after it is answered.
  onLiveMessage(() => isConnected(state()) && void identify())

  function take(input: PhoneInput): void {
    const next = step(state(), input)
    display.show({ state: next.state })
    phoneIsLost(isLineLost(next.state))
    if (!isOtherTabs(next.state)) keepBeginning(isBeginning(next.state))
    for (const effect of next.effects) run(effect)
    if (input.on === 'answered') void identify()
  }

  function run(effect: PhoneEffect): void {
    switch (effect.do) {
      case 'ring':
        return ringing.start(effect.call)
      case 'stopRinging':
        return ringing.stop()
      case 'playRingback':
        return speaker.ringback()
      case 'stopRingback':
        return speaker.quiet()
      case 'remember':
        return keepCall(effect.kept)
      case 'forget':
        return forgetCall()
      case 'releaseMicrophone':
        return silence()
      case 'refuseSecond':
        return connection.line()?.refuseSecond()
    }
  }

  function silence(): void {
    mouthpiece.close()
    speaker.hangUp()
  }

  /** Only the server knows the id of a dialled call. */
  async function identify(): Promise<void> {
    const now = state()
    if (!hasCall(now) || now.call.id !== null) return
    // Without its id the call goes on; only what needs the id is not offered.
    const id = await readActiveCallId(employeeId)
    if (!id) return
    // Whoever dials a code learns only now whom they talk to.
    const customer = now.call.other.startsWith('*') ? await readCustomerOf(id) : undefined
    take({ on: 'identified', id, ...(customer !== undefined && { other: customer }) })
  }

  async function isCallGone(): Promise<boolean> {
    const inHand = await readActiveCallId(employeeId)
    const now = state()
    if (!isConnected(now) || inHand === undefined) return false
    return inHand === null || (now.call.id !== null && now.call.id !== inHand)
  }

  async function rejoin(kept: CallToRejoin): Promise<void> {
    const stream = await mouthpiece.open()
    if (!stream || state().in !== 'ready') return
    take({ on: 'dialled', call: kept.call })
    connection.line()?.rejoin(kept, stream)
  }

  return { display, mouthpiece, speaker, ringing, connection, state, take }
}
