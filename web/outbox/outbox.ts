import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

import { ApiError } from '../api/client.ts'
import { newIdempotencyKey } from '../api/idempotency-key.ts'
import { sendMessage } from '../api/inbox.ts'
import { sessionQuery } from '../api/session.ts'
import { isReachable, Unreachable, untilReachable } from '../connection/reachability.ts'
import { createListeners } from '../ui/listeners.ts'
import { keepDraft, readDraft } from './drafts.ts'

/** Between attempts that fail although the service responds: doubled each time. */
const LIMITS = { pauseMs: 500, pauseMsMax: 15_000 }

export interface OutgoingText {
  employeeId: string
  phone: string
  numberId: string
  text: string
}

type Outgoing = OutgoingText & { is: 'being sent' | 'waiting' }

/**
 * The texts on their way to the service, by thread, until this page is closed. A closed page sends nothing: the next one
 * has the text as a draft.
 */
let outgoing: ReadonlyMap<string, Outgoing> = new Map()
const { subscribe, tell } = createListeners()

export const useOutbox = () => useSyncExternalStore(subscribe, () => outgoing)

function show(phone: string, text: Outgoing | undefined): void {
  const next = new Map(outgoing)
  if (text) next.set(phone, text)
  else next.delete(phone)
  outgoing = next
  tell()
}

/** The text stays as a draft. */
export const cancelWaiting = (phone: string) => show(phone, undefined)

type Outcome = { isSent: boolean; refusal?: ApiError }

/** Sends a text as soon as the service can be reached, unless it is cancelled. Shown as waiting until then. */
export async function sendWhenReachable(text: OutgoingText, queries: QueryClient): Promise<Outcome> {
  const { phone, employeeId } = text
  const key = keyFor(text)
  try {
    for (let attempt = 0; ; attempt++) {
      if (attempt > 0 || !isReachable()) {
        show(phone, { ...text, is: 'waiting' })
        if (attempt > 1) await pause(Math.min(LIMITS.pauseMs * 2 ** attempt, LIMITS.pauseMsMax))
        await untilReachable()
        if (!outgoing.has(phone)) return { isSent: false }
      }
      show(phone, { ...text, is: 'being sent' })
      const outcome = await tryToSend(text, key, attempt > 0 ? queries : undefined)
      if (!outcome) continue
      keepDraft(employeeId, phone, { text: '' })
      return outcome
    }
  } finally {
    show(phone, undefined)
  }
}

/** Undefined if it is not known whether it was sent. */
async function tryToSend(
  { employeeId, phone, numberId, text }: OutgoingText,
  key: string,
  later: QueryClient | undefined,
): Promise<Outcome | undefined> {
  try {
    if (later) await requireSameEmployee(later, employeeId)
    await sendMessage({ numberId, to: phone, text, key })
    return { isSent: true }
  } catch (error) {
    if (error instanceof Unreachable) return undefined
    // A text that was refused is stored anyway, and shown in the thread with its status.
    if (error instanceof ApiError && 'message_id' in error.body) return { isSent: true, refusal: error }
    throw error
  }
}

/** While the text waited, somebody else may have signed in at this browser. */
async function requireSameEmployee(queries: QueryClient, employeeId: string): Promise<void> {
  const session = await queries.fetchQuery({ ...sessionQuery(), staleTime: 0, retry: false })
  if (session.employee.id !== employeeId) throw new Error('another employee has signed in')
}

/** The same key for the same text, also on a page loaded later: it is sent once, whatever responses are lost. */
function keyFor({ employeeId, phone, numberId, text }: OutgoingText): string {
  const { attempt } = readDraft(employeeId, phone)
  if (attempt?.numberId === numberId) return attempt.key
  const key = newIdempotencyKey()
  keepDraft(employeeId, phone, { text, attempt: { numberId, key } })
  return key
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
