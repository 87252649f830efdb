/** A call as the phone knows it. */
export interface PhoneCall {
  /** Our id (`cal_…`); null until the server has sent it. */
  id: string | null
  direction: 'incoming' | 'outgoing'
  /** The number of the remote party. */
  other: string
  /** The business number: called, or shown. */
  number: string | null
}

export interface ConnectedCall {
  call: PhoneCall
  /** In ms since 1970. */
  since: number
  isMuted: boolean
}

/** What another page needs to continue a call. */
export interface KeptCall extends ConnectedCall {
  isHeld: boolean
}

/** With a known id. */
export type CallToRejoin = KeptCall & { call: { id: string } }

export type OffReason = 'switched_off' | 'other_tab' | 'refused' | 'unsupported'
export type EndReason =
  | 'hung_up'
  | 'busy'
  | 'not_answered'
  | 'refused'
  | 'unreachable'
  | 'connection'
  | 'elsewhere'
  /** The server no longer has the call. */
  | 'gone'
  /** Nothing arrives from the edge any more. */
  | 'no_sound'

/**
 * The state of the phone. A call continues without signalling: `isOnline` tells whether there is a connection, and
 * `isHeard` whether media arrives.
 */
export type PhoneState =
  | { in: 'off'; why: OffReason }
  /** `isLost` once a connection has failed or ended: until then, the phone is only starting. */
  | { in: 'connecting'; isLost: boolean }
  | { in: 'ready' }
  | { in: 'ringing'; call: PhoneCall; isOnline: boolean }
  | { in: 'dialling'; call: PhoneCall; isOnline: boolean }
  | ({ in: 'talking'; isOnline: boolean; isHeard: boolean } & ConnectedCall)
  | ({ in: 'held'; isOnline: boolean; isHeard: boolean } & ConnectedCall)
  | { in: 'ended'; call: PhoneCall; why: EndReason; isOnline: boolean }

export type PhoneInput =
  | { on: 'started' }
  | { on: 'stopped'; why: OffReason }
  | { on: 'registered' }
  | { on: 'disconnected' }
  | { on: 'rang'; call: PhoneCall }
  | { on: 'dialled'; call: PhoneCall }
  /** The remote party's phone rings. */
  | { on: 'rings_there' }
  /** Early media. */
  | { on: 'sounds_there' }
  /** A call that is rejoined began earlier. */
  | { on: 'answered'; at: number }
  /** The id of a dialled call. */
  | { on: 'identified'; id: string; other?: string }
  /** A coworker has put us through to a customer in the same call. */
  | { on: 'put_through'; call: PhoneCall }
  | { on: 'held' }
  | { on: 'resumed' }
  | { on: 'muted'; isMuted: boolean }
  | { on: 'heard'; isHeard: boolean }
  | { on: 'ended'; why: EndReason }
  | { on: 'dismissed' }

export type PhoneEffect =
  | { do: 'ring'; call: PhoneCall }
  | { do: 'stopRinging' }
  | { do: 'playRingback' }
  | { do: 'stopRingback' }
  /** So that a reloaded page, or another tab, can rejoin. */
  | { do: 'remember'; kept: KeptCall }
  | { do: 'forget' }
  | { do: 'releaseMicrophone' }
  /** A second call during another: its caller gets a busy response. */
  | { do: 'refuseSecond' }

export interface Step {
  state: PhoneState
  effects: PhoneEffect[]
}

type CallState = Exclude<PhoneState, { in: 'off' | 'connecting' | 'ready' }>
type LiveState = Exclude<CallState, { in: 'ended' }>

export const hasCall = (state: PhoneState): state is CallState =>
  state.in !== 'off' && state.in !== 'connecting' && state.in !== 'ready'

/** There is a call, or one is being set up. */
export const isLive = (state: PhoneState): state is LiveState => hasCall(state) && state.in !== 'ended'

/** A call is being set up, which no other page can take over. */
export const isBeginning = (state: PhoneState) => state.in === 'ringing' || state.in === 'dialling'

/** Another tab of this browser has the phone. */
export const isOtherTabs = (state: PhoneState) => state.in === 'off' && state.why === 'other_tab'

/** The phone is on, and without a connection over which calls could arrive. */
export function isLineLost(state: PhoneState): boolean {
  return state.in === 'connecting' ? state.isLost : hasCall(state) && !state.isOnline
}

/** The call is answered, though it may be on hold. */
export const isConnected = (state: PhoneState): state is Extract<LiveState, ConnectedCall> =>
  state.in === 'talking' || state.in === 'held'

const LOST: PhoneState = { in: 'connecting', isLost: true }

/** The state machine of the phone. Inputs that do not apply in a state are ignored. */
export function step(state: PhoneState, input: PhoneInput): Step {
  switch (input.on) {
    case 'started':
      // A phone that is ready starts again with other credentials.
      return state.in === 'off' || state.in === 'ready'
        ? now({ in: 'connecting', isLost: false })
        : now(state)
    case 'stopped':
      return now({ in: 'off', why: input.why }, isLive(state) ? stop(state, input.why) : [])
    case 'registered':
      if (state.in === 'connecting') return now({ in: 'ready' })
      return hasCall(state) ? now({ ...state, isOnline: true }) : now(state)
    case 'disconnected':
      return disconnect(state)
    case 'rang':
      if (isLive(state)) return now(state, [{ do: 'refuseSecond' }])
      if (state.in === 'off') return now(state)
      return now({ in: 'ringing', call: input.call, isOnline: true }, [{ do: 'ring', call: input.call }])
    case 'dialled':
      return state.in === 'ready' || state.in === 'ended'
        ? now({ in: 'dialling', call: input.call, isOnline: true })
        : now(state)
    case 'dismissed':
      if (state.in !== 'ended') return now(state)
      return now(state.isOnline ? { in: 'ready' } : LOST)
    default:
      return isLive(state) ? stepCall(state, input) : now(state)
  }
}

type CallInput = Extract<
  PhoneInput,
  {
    on:
      | 'rings_there'
      | 'sounds_there'
      | 'answered'
      | 'identified'
      | 'put_through'
      | 'held'
      | 'resumed'
      | 'muted'
      | 'heard'
      | 'ended'
  }
>

function stepCall(state: LiveState, input: CallInput): Step {
  switch (input.on) {
    case 'rings_there':
      return now(state, state.in === 'dialling' ? [{ do: 'playRingback' }] : [])
    case 'sounds_there':
      return now(state, [{ do: 'stopRingback' }])
    case 'answered':
      return answer(state, input.at)
    case 'identified': {
      const known = {
        ...state,
        call: { ...state.call, id: input.id, other: input.other ?? state.call.other },
      }
      return 'since' in known ? remembered(known) : now(known)
    }
    case 'put_through':
      return isConnected(state) ? remembered({ ...state, call: input.call }) : now(state)
    case 'held':
      return state.in === 'talking' ? remembered({ ...state, in: 'held' }) : now(state)
    case 'resumed':
      return state.in === 'held' ? remembered({ ...state, in: 'talking' }) : now(state)
    case 'muted':
      return 'isMuted' in state ? remembered({ ...state, isMuted: input.isMuted }) : now(state)
    case 'heard':
      return now('isHeard' in state ? { ...state, isHeard: input.isHeard } : state)
    case 'ended': {
      const { call, isOnline } = state
      // A caller who hangs up needs no notice here: the missed call is in the inbox.
      const isQuiet = state.in === 'ringing' && input.why !== 'connection' && input.why !== 'elsewhere'
      const after: PhoneState = isOnline ? { in: 'ready' } : LOST
      return now(isQuiet ? after : { in: 'ended', call, why: input.why, isOnline }, leave(state))
    }
  }
}

function answer(state: LiveState, since: number): Step {
  if (state.in !== 'ringing' && state.in !== 'dialling') return now(state)
  const { call, isOnline } = state
  return remembered({ in: 'talking', call, since, isMuted: false, isOnline, isHeard: true }, quiet(state))
}

function remembered(state: Extract<LiveState, ConnectedCall>, before: PhoneEffect[] = []): Step {
  const { call, since, isMuted } = state
  const kept = { call, since, isMuted, isHeld: state.in === 'held' }
  return now(state, [...before, { do: 'remember', kept }])
}

/** A call that rings or is being dialled ends with the connection; an answered one continues. */
function disconnect(state: PhoneState): Step {
  switch (state.in) {
    case 'off':
      return now(state)
    case 'talking':
    case 'held':
    case 'ended':
      return now({ ...state, isOnline: false })
    case 'ringing':
    case 'dialling':
      return now({ in: 'ended', call: state.call, why: 'connection', isOnline: false }, leave(state))
    default:
      return now(LOST)
  }
}

/** An answered call moves with the phone to the other tab, which rejoins it. */
const stop = (state: LiveState, why: OffReason): PhoneEffect[] =>
  why === 'other_tab' ? [...quiet(state), { do: 'releaseMicrophone' }] : leave(state)

const leave = (state: LiveState): PhoneEffect[] => [
  ...quiet(state),
  { do: 'forget' },
  { do: 'releaseMicrophone' },
]

const quiet = ({ in: where }: LiveState): PhoneEffect[] => {
  if (where === 'ringing') return [{ do: 'stopRinging' }]
  return where === 'dialling' ? [{ do: 'stopRingback' }] : []
}

const now = (state: PhoneState, effects: PhoneEffect[] = []): Step => ({ state, effects })
