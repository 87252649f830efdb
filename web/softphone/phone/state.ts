/** A call as its phone knows it. */
export interface PhoneCall {
  /** Ours (`cal_…`); null until the exchange has told it. */
  id: string | null
  direction: 'incoming' | 'outgoing'
  /** The number at the other end. */
  other: string
  /** The number of the company: called, or shown. */
  number: string | null
}

export interface Talk {
  call: PhoneCall
  /** In milliseconds of the epoch. */
  since: number
  isMuted: boolean
}

/** What another page needs to go on with a conversation. */
export interface KeptCall extends Talk {
  isHeld: boolean
}

/** Of which it is known which it is. */
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
  /** The exchange does not know of it any more. */
  | 'gone'
  /** Nothing was heard of the exchange any more. */
  | 'no_sound'

/**
 * What the phone is at. A call goes on while signalling is away: `isOnline` says whether that is there, and `isHeard`
 * whether the sound is.
 */
export type PhoneState =
  | { in: 'off'; why: OffReason }
  | { in: 'connecting' }
  | { in: 'ready' }
  | { in: 'ringing'; call: PhoneCall; isOnline: boolean }
  | { in: 'dialling'; call: PhoneCall; isOnline: boolean }
  | ({ in: 'talking'; isOnline: boolean; isHeard: boolean } & Talk)
  | ({ in: 'held'; isOnline: boolean; isHeard: boolean } & Talk)
  | { in: 'ended'; call: PhoneCall; why: EndReason; isOnline: boolean }

export type PhoneInput =
  | { on: 'started' }
  | { on: 'stopped'; why: OffReason }
  | { on: 'registered' }
  | { on: 'disconnected' }
  | { on: 'rang'; call: PhoneCall }
  | { on: 'dialled'; call: PhoneCall }
  /** It rings at the other end. */
  | { on: 'rings_there' }
  /** The other end sounds by itself before it answers. */
  | { on: 'sounds_there' }
  /** A call that is taken up again began earlier. */
  | { on: 'answered'; at: number }
  /** Which call it is, of one that was dialled. */
  | { on: 'identified'; id: string }
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
  /** So that a page that is loaded again, or another tab, can take it up. */
  | { do: 'remember'; kept: KeptCall }
  | { do: 'forget' }
  | { do: 'releaseMicrophone' }
  /** A second call, while there is one: its caller is told that we are busy. */
  | { do: 'refuseSecond' }

export interface Step {
  state: PhoneState
  effects: PhoneEffect[]
}

type CallState = Exclude<PhoneState, { in: 'off' | 'connecting' | 'ready' }>
type LiveState = Exclude<CallState, { in: 'ended' }>

export const hasCall = (state: PhoneState): state is CallState =>
  state.in !== 'off' && state.in !== 'connecting' && state.in !== 'ready'

/** Somebody is on the line, or is about to be. */
export const isLive = (state: PhoneState): state is LiveState => hasCall(state) && state.in !== 'ended'

/** Somebody is about to be on the line: no other page can take that up. */
export const isBeginning = (state: PhoneState) => state.in === 'ringing' || state.in === 'dialling'

/** Another tab of this browser has the phone. */
export const isOtherTabs = (state: PhoneState) => state.in === 'off' && state.why === 'other_tab'

/** Two people are on the line, though one of them may wait. */
export const isTalk = (state: PhoneState): state is Extract<LiveState, Talk> =>
  state.in === 'talking' || state.in === 'held'

/** What the phone does with what happens to it. What cannot happen now changes nothing. */
export function step(state: PhoneState, input: PhoneInput): Step {
  switch (input.on) {
    case 'started':
      return state.in === 'off' ? now({ in: 'connecting' }) : now(state)
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
      return now(state.isOnline ? { in: 'ready' } : { in: 'connecting' })
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
      const known = { ...state, call: { ...state.call, id: input.id } }
      return 'since' in known ? remembered(known) : now(known)
    }
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
      // Nobody needs to be told of a call that rang here and was taken by a coworker.
      const isQuiet = state.in === 'ringing' && input.why !== 'connection'
      const after: PhoneState = isOnline ? { in: 'ready' } : { in: 'connecting' }
      return now(isQuiet ? after : { in: 'ended', call, why: input.why, isOnline }, leave(state))
    }
  }
}

function answer(state: LiveState, since: number): Step {
  if (state.in !== 'ringing' && state.in !== 'dialling') return now(state)
  const { call, isOnline } = state
  return remembered({ in: 'talking', call, since, isMuted: false, isOnline, isHeard: true }, quiet(state))
}

function remembered(state: Extract<LiveState, Talk>, before: PhoneEffect[] = []): Step {
  const { call, since, isMuted } = state
  const kept = { call, since, isMuted, isHeld: state.in === 'held' }
  return now(state, [...before, { do: 'remember', kept }])
}

/** What rings or is being dialled goes with the connection; who talks, talks on. */
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
      return now({ in: 'connecting' })
  }
}

/** With the phone a conversation goes to the other tab, which finds it remembered. */
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
