import { type Effect, ended, isSuccess, type Step, stay } from './machine.ts'
import { T1_MS, T2_MS, T4_MS, TIMEOUT_64_T1_MS, TRYING_MS } from './timers.ts'

/** RFC 3261 §17.2.1, with the state `accepted` of RFC 6026. */
export type InviteServerState =
  /** `answered` once a provisional response has been sent. */
  | { in: 'proceeding'; answered: boolean }
  | { in: 'accepted' }
  | { in: 'completed'; resendMs: number }
  | { in: 'confirmed' }
  | { in: 'terminated' }

export type InviteServerTimer = 'trying' | 'G' | 'H' | 'I' | 'L'

export type InviteServerInput =
  | { on: 'timer'; timer: InviteServerTimer }
  /** A retransmission of the INVITE. */
  | { on: 'request' }
  | { on: 'ack' }
  | { on: 'respond'; status: number }
  | { on: 'transportError' }

type Result = Step<InviteServerState, InviteServerTimer>

export function startInviteServer(): Result {
  return {
    state: { in: 'proceeding', answered: false },
    effects: [{ do: 'deliver' }, { do: 'startTimer', timer: 'trying', ms: TRYING_MS }],
  }
}

export function stepInviteServer(
  state: InviteServerState,
  input: InviteServerInput,
  reliable: boolean,
): Result {
  switch (state.in) {
    case 'proceeding':
      return stepProceeding(state, input, reliable)
    case 'accepted':
      // The transaction user retransmits the 2xx until its ACK; retransmitted INVITEs are absorbed.
      if (input.on === 'respond' && isSuccess(input.status)) return { state, effects: [{ do: 'send' }] }
      return input.on === 'timer' && input.timer === 'L' ? ended() : stay(state)
    case 'completed':
      return stepCompleted(state, input, reliable)
    case 'confirmed':
      return input.on === 'timer' && input.timer === 'I' ? ended() : stay(state)
    case 'terminated':
      return stay(state)
  }
}

function stepProceeding(
  state: InviteServerState & { in: 'proceeding' },
  input: InviteServerInput,
  reliable: boolean,
): Result {
  if (input.on === 'timer' && input.timer === 'trying' && !state.answered) {
    return { state: { in: 'proceeding', answered: true }, effects: [{ do: 'sendTrying' }] }
  }
  if (input.on === 'request') return { state, effects: state.answered ? [{ do: 'send' }] : [] }
  if (input.on !== 'respond') return stay(state)
  const send: Effect<InviteServerTimer>[] = [{ do: 'stopTimer', timer: 'trying' }, { do: 'send' }]
  if (input.status < 200) return { state: { in: 'proceeding', answered: true }, effects: send }
  if (isSuccess(input.status)) {
    return {
      state: { in: 'accepted' },
      effects: [...send, { do: 'startTimer', timer: 'L', ms: TIMEOUT_64_T1_MS }],
    }
  }
  if (!reliable) send.push({ do: 'startTimer', timer: 'G', ms: T1_MS })
  return {
    state: { in: 'completed', resendMs: T1_MS },
    effects: [...send, { do: 'startTimer', timer: 'H', ms: TIMEOUT_64_T1_MS }],
  }
}

function stepCompleted(
  state: InviteServerState & { in: 'completed' },
  input: InviteServerInput,
  reliable: boolean,
): Result {
  if (input.on === 'request') return { state, effects: [{ do: 'send' }] }
  if (input.on === 'timer' && input.timer === 'G') {
    const resendMs = Math.min(state.resendMs * 2, T2_MS)
    return {
      state: { in: 'completed', resendMs },
      effects: [{ do: 'send' }, { do: 'startTimer', timer: 'G', ms: resendMs }],
    }
  }
  if (input.on === 'timer' && input.timer === 'H') return ended()
  if (input.on === 'ack') {
    return {
      state: { in: 'confirmed' },
      effects: [
        { do: 'stopTimer', timer: 'G' },
        { do: 'stopTimer', timer: 'H' },
        { do: 'startTimer', timer: 'I', ms: reliable ? 0 : T4_MS },
      ],
    }
  }
  return stay(state)
}
