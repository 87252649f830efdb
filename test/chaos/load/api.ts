import { setTimeout as pause } from 'node:timers/promises'

import type { Role } from '../environment/role.ts'
import type { SeededRandom } from '../random.ts'

const LIMITS = { answerMs: 20_000, calmMs: 500, looks: 10 }

/** The outcome of a request: a response, or unknown, because it was lost or the service failed. */
export type Outcome =
  | { is: 'answered'; status: number; body: any; headers: Headers }
  | { is: 'unknown'; why: string }

export interface Api {
  /** Sends a request to one of the API processes; below /api/v1 with an employee's key. */
  ask(key: string, method: string, path: string, body?: unknown, at?: Role): Promise<Outcome>
  /** Any URL of an API process. */
  send(path: string, init: RequestInit, at?: Role): Promise<Outcome>
}

export function openApi(roles: Role[], chance: SeededRandom): Api {
  async function send(path: string, init: RequestInit, at: Role = chance.pick(roles)): Promise<Outcome> {
    let why: string
    try {
      const signal = AbortSignal.timeout(LIMITS.answerMs)
      const response = await fetch(`http://${at.address}${path}`, { ...init, signal })
      const text = await response.text()
      const { status, headers } = response
      if (status < 500 || status === 502)
        return { is: 'answered', status, headers, body: text === '' ? undefined : JSON.parse(text) }
      why = String(status)
    } catch (error) {
      why = (error as Error).message
    }
    // A refused client would otherwise retry as fast as the machine can.
    await pause(LIMITS.calmMs)
    return { is: 'unknown', why }
  }
  return {
    send,
    ask: (key, method, path, body, at) =>
      send(
        `/api/v1${path}`,
        {
          method,
          headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        },
        at,
      ),
  }
}

export const isDone = (outcome: Outcome) =>
  outcome.is === 'answered' && outcome.status >= 200 && outcome.status < 300

/** The call that an employee is in: the two may hear each other a moment before it is stored. */
export async function activeCall(api: Api, key: string): Promise<Outcome> {
  for (let tried = 1; ; tried++) {
    const outcome = await api.ask(key, 'GET', '/calls/active')
    if (tried === LIMITS.looks || (outcome.is === 'answered' && outcome.status === 200)) return outcome
    await pause(LIMITS.calmMs)
  }
}

/** The coworker has answered, but that may not be stored yet. */
export async function completeTransfer(api: Api, key: string, path: string): Promise<Outcome> {
  for (let tried = 1; ; tried++) {
    const outcome = await api.ask(key, 'POST', `${path}/completion`)
    if (tried === LIMITS.looks || outcome.is === 'unknown' || outcome.status !== 409) return outcome
    await pause(LIMITS.calmMs)
  }
}
