import { type ClientInput, type Effect, ended, failed, stay, type Step } from './machine.ts'
import { T1_MS, T2_MS, T4_MS, TIMEOUT_64_T1_MS } from './timers.ts'

/** RFC 3261 §17.1.2: requests other than INVITE. */
export type ClientState =
  | { in: 'trying'; resendMs: number }
  | { in: 'proceeding' }
  | { in: 'completed' }
  | { in: 'terminated' }

export type ClientTimer = 'E' | 'F' | 'K'

type Result = Step<ClientState, ClientTimer>

export function startClient(reliable: boolean): Result {
  const effects: Effect<ClientTimer>[] = [
    { do: 'send' },
    { do: 'startTimer', timer: 'F', ms: TIMEOUT_64_T1_MS },
  ]
  if (!reliable) effects.push({ do: 'startTimer', timer: 'E', ms: T1_MS })
  return { state: { in: 'trying', resendMs: T1_MS }, effects }
}

export function stepClient(state: ClientState, input: ClientInput<ClientTimer>, reliable: boolean): Result {
  switch (state.in) {
    case 'trying':
      if (input.on === 'timer' && input.timer === 'E') {
        const resendMs = Math.min(state.resendMs * 2, T2_MS)
        return { state: { in: 'trying', resendMs }, effects: resendIn(resendMs) }
      }
      return untilFinal(state, input, reliable)
    case 'proceeding':
      if (input.on === 'timer' && input.timer === 'E') return { state, effects: resendIn(T2_MS) }
      return untilFinal(state, input, reliable)
    case 'completed':
      return input.on === 'timer' && input.timer === 'K' ? ended() : stay(state)
    case 'terminated':
      return stay(state)
  }
}

function untilFinal(state: ClientState, input: ClientInput<ClientTimer>, reliable: boolean): Result {
  if (input.on === 'timer') return input.timer === 'F' ? failed('timeout') : stay(state)
  if (input.on === 'transportError' || input.on === 'unreachable') return failed('transport')
  if (input.status < 200) return { state: { in: 'proceeding' }, effects: [{ do: 'deliver' }] }
  return {
    state: { in: 'completed' },
    effects: [
      { do: 'stopTimer', timer: 'E' },
      { do: 'stopTimer', timer: 'F' },
      { do: 'deliver' },
      { do: 'startTimer', timer: 'K', ms: reliable ? 0 : T4_MS },
    ],
  }
}

const resendIn = (ms: number): Effect<ClientTimer>[] => [{ do: 'send' }, { do: 'startTimer', timer: 'E', ms }]
