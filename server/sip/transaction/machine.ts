/** What a machine asks its owner to do. Effects are data; `transactions.ts` alone carries them out. */
export type Effect<Timer extends string> =
  /** Sends the request of a client or the latest answer of a server, once more or for the first time. */
  | { do: 'send' }
  | { do: 'sendAck' }
  | { do: 'sendTrying' }
  /** Hands the response or request that is the input to the user of the transaction. */
  | { do: 'deliver' }
  | { do: 'fail'; why: Failure }
  | { do: 'startTimer'; timer: Timer; ms: number }
  | { do: 'stopTimer'; timer: Timer }
  | { do: 'end' }

export type Failure = 'timeout' | 'transport'

export interface Step<State, Timer extends string> {
  state: State
  effects: Effect<Timer>[]
}

/** The machine does nothing about this input in this state. */
export function stay<State, Timer extends string>(state: State): Step<State, Timer> {
  return { state, effects: [] }
}
