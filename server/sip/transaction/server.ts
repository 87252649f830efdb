import { ended, type Step, stay } from './machine.ts'
import { TIMEOUT_64_T1_MS } from './timers.ts'

/** RFC 3261 §17.2.2: requests other than INVITE. */
export type ServerState = { in: 'trying' } | { in: 'proceeding' } | { in: 'completed' } | { in: 'terminated' }

export type ServerTimer = 'J'

export type ServerInput =
  | { on: 'timer'; timer: ServerTimer }
  /** A retransmission of the request. */
  | { on: 'request' }
  | { on: 'respond'; status: number }
  | { on: 'transportError' }

type Result = Step<ServerState, ServerTimer>

export function startServer(): Result {
  return { state: { in: 'trying' }, effects: [{ do: 'deliver' }] }
}

export function stepServer(state: ServerState, input: ServerInput, reliable: boolean): Result {
  switch (state.in) {
    case 'trying':
    case 'proceeding':
      if (input.on === 'request') return { state, effects: state.in === 'trying' ? [] : [{ do: 'send' }] }
      if (input.on !== 'respond') return stay(state)
      if (input.status < 200) return { state: { in: 'proceeding' }, effects: [{ do: 'send' }] }
      return {
        state: { in: 'completed' },
        effects: [{ do: 'send' }, { do: 'startTimer', timer: 'J', ms: reliable ? 0 : TIMEOUT_64_T1_MS }],
      }
    case 'completed':
      if (input.on === 'request') return { state, effects: [{ do: 'send' }] }
      return input.on === 'timer' && input.timer === 'J' ? ended() : stay(state)
    case 'terminated':
      return stay(state)
  }
}
