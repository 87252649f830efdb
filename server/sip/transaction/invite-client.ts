import { type ClientInput, type Effect, ended, failed, isSuccess, stay, type Step } from './machine.ts'
import { T1_MS, TIMEOUT_64_T1_MS, TIMER_D_MS } from './timers.ts'

/** RFC 3261 §17.1.1, with the state `accepted` of RFC 6026. */
export type InviteClientState =
  | { in: 'calling'; resendMs: number }
  | { in: 'proceeding' }
  | { in: 'accepted' }
  | { in: 'completed' }
  | { in: 'terminated' }

export type InviteClientTimer = 'A' | 'B' | 'D' | 'M'

type Result = Step<InviteClientState, InviteClientTimer>

export function startInviteClient(reliable: boolean): Result {
  const effects: Effect<InviteClientTimer>[] = [
    { do: 'send' },
    { do: 'startTimer', timer: 'B', ms: TIMEOUT_64_T1_MS },
  ]
  if (!reliable) effects.push({ do: 'startTimer', timer: 'A', ms: T1_MS })
  return { state: { in: 'calling', resendMs: T1_MS }, effects }
}

export function stepInviteClient(
  state: InviteClientState,
  input: ClientInput<InviteClientTimer>,
  reliable: boolean,
): Result {
  switch (state.in) {
    case 'calling':
      if (input.on === 'timer' && input.timer === 'A') {
        const resendMs = state.resendMs * 2 // Timer A doubles without a cap.
        return {
          state: { in: 'calling', resendMs },
          effects: [{ do: 'send' }, { do: 'startTimer', timer: 'A', ms: resendMs }],
        }
      }
      if (input.on === 'timer' && input.timer === 'B') return failed('timeout')
      if (input.on === 'transportError' || input.on === 'unreachable') return failed('transport')
      return input.on === 'response' ? takeResponse(input.status, reliable) : stay(state)
    case 'proceeding':
      // The peer may still respond over another connection.
      if (input.on === 'transportError') return stay(state)
      if (input.on === 'unreachable') return failed('transport')
      return input.on === 'response' ? takeResponse(input.status, reliable) : stay(state)
    case 'accepted':
      // Each 2xx, including those of other branches, is acknowledged by the dialog it belongs to.
      if (input.on === 'response' && isSuccess(input.status)) return { state, effects: [{ do: 'deliver' }] }
      return input.on === 'timer' && input.timer === 'M' ? ended() : stay(state)
    case 'completed':
      if (input.on === 'response' && input.status >= 300) return { state, effects: [{ do: 'sendAck' }] }
      if (input.on === 'transportError' || input.on === 'unreachable') return failed('transport')
      return input.on === 'timer' && input.timer === 'D' ? ended() : stay(state)
    case 'terminated':
      return stay(state)
  }
}

function takeResponse(status: number, reliable: boolean): Result {
  const stop: Effect<InviteClientTimer>[] = [
    { do: 'stopTimer', timer: 'A' },
    { do: 'stopTimer', timer: 'B' },
  ]
  if (status < 200) return { state: { in: 'proceeding' }, effects: [...stop, { do: 'deliver' }] }
  if (isSuccess(status)) {
    return {
      state: { in: 'accepted' },
      effects: [...stop, { do: 'deliver' }, { do: 'startTimer', timer: 'M', ms: TIMEOUT_64_T1_MS }],
    }
  }
  return {
    state: { in: 'completed' },
    effects: [
      ...stop,
      { do: 'sendAck' },
      { do: 'deliver' },
      { do: 'startTimer', timer: 'D', ms: reliable ? 0 : TIMER_D_MS },
    ],
  }
}
