/** What a machine asks its owner to do. Effects are data; only `transactions.ts` carries them out. */
export type Effect<Timer extends string> =
  /** Sends the request of a client or the latest response of a server, for the first time or again. */
  | { do: 'send' }
  | { do: 'sendAck' }
  | { do: 'sendTrying' }
  /** Passes the input, a response or request, to the transaction user. */
  | { do: 'deliver' }
  | { do: 'fail'; why: TransactionFailure }
  | { do: 'startTimer'; timer: Timer; ms: number }
  | { do: 'stopTimer'; timer: Timer }
  | { do: 'end' }

export type TransactionFailure = 'timeout' | 'transport'

/** What happens to a client transaction. */
export type ClientInput<Timer extends string> =
  | { on: 'timer'; timer: Timer }
  | { on: 'response'; status: number }
  | { on: 'transportError' }
  /** The connection closed on which alone a response could have come. */
  | { on: 'unreachable' }

export interface Step<State, Timer extends string> {
  state: State
  effects: Effect<Timer>[]
}

/** The transaction is over. */
export function ended<Timer extends string>(): Step<{ in: 'terminated' }, Timer> {
  return { state: { in: 'terminated' }, effects: [{ do: 'end' }] }
}

export function failed<Timer extends string>(why: TransactionFailure): Step<{ in: 'terminated' }, Timer> {
  return { state: { in: 'terminated' }, effects: [{ do: 'fail', why }, { do: 'end' }] }
}

export const isSuccess = (status: number) => status >= 200 && status < 300

/** The input has no effect in this state. */
export function stay<State, Timer extends string>(state: State): Step<State, Timer> {
  return { state, effects: [] }
}
