import { lazyAsync } from '../../platform/async/lazy.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { type PubSub, publish } from '../../platform/db/pubsub.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  deleteUntaken,
  insertCommand,
  selectAnswer,
  takeCommands,
  type TakenCommand,
  updateAnswer,
} from './command-queries.ts'

/** The channel for edges: `<edge> command`, or `<edge> offers <company> <call>`. */
export const EDGE_CHANNEL = 'edge'

/** The channel on which the API learns that a command has its result: its id. */
const ANSWER_CHANNEL = 'edge_answer'

/** The outcome of a command. */
export type EdgeCommandOutcome =
  | { ok: true; answer: unknown }
  /** It was never claimed, and will not be; or no edge has the call. */
  | { ok: false; why: 'withdrawn' }
  /** It was claimed, and its result is not known yet. */
  | { ok: false; why: 'unanswered' }
  /** The edge tried, and failed. */
  | { ok: false; why: 'failed' }

/** How a result is stored. */
type StoredAnswer = { value: unknown } | { failed: true }

export interface CommandId {
  companyId: string
  id: string
}

/** Part of the caller's transaction: the edge is notified when it commits. Undefined if no edge has the call. */
export async function postCommand(
  tx: Queryable,
  { companyId, callId, command }: { companyId: string; callId: string; command: unknown },
): Promise<CommandId | undefined> {
  const row = await insertCommand(tx, companyId, callId, command)
  if (!row) return undefined
  await publish(tx, EDGE_CHANNEL, `${row.edge_id} command`)
  return { companyId, id: row.id }
}

/** Waits for the result of a command, and withdraws it after a timeout. */
export async function awaitCommand(
  line: Dependencies<'db' | 'pubsub' | 'clock'>,
  command: CommandId,
  limitMs: number,
): Promise<EdgeCommandOutcome> {
  const { db, pubsub, clock } = line
  const answers = await answersOn(pubsub)
  const ends: (() => void)[] = []
  const asked = new Promise<EdgeCommandOutcome>((resolve, reject) => {
    const check = () => {
      // A failed query is repeated, at the latest at the timeout.
      answerTo(db.sql, command).then(
        (found) => found && resolve(found),
        () => {},
      )
    }
    const giveUpNow = () => {
      giveUp(db.sql, command).then(resolve, reject)
    }
    ends.push(clock.after(limitMs, giveUpNow), answers.wait(command.id, check))
    // The result may have arrived before we listened.
    check()
  })
  return asked.finally(() => ends.forEach((end) => end()))
}

/** Sends a command to the edge of a call, in the transaction that prepares it, and waits for the result. */
export async function runEdgeCommand(
  db: Database,
  pubsub: PubSub,
  clock: Clock,
  prepare: (tx: Tx) => Promise<{ companyId: string; callId: string; command: unknown }>,
  limitMs: number,
): Promise<EdgeCommandOutcome> {
  const command = await db.tx(async (tx) => postCommand(tx, await prepare(tx)))
  return command ? awaitCommand({ db, pubsub, clock }, command, limitMs) : { ok: false, why: 'withdrawn' }
}

/** For the edge: claims its pending commands. */
export const claimCommands = (sql: Queryable, edgeId: string): Promise<TakenCommand[]> =>
  takeCommands(sql, edgeId)

export async function answerCommand(
  sql: Queryable,
  { companyId, id }: CommandId,
  kept: StoredAnswer,
): Promise<void> {
  await updateAnswer(sql, companyId, id, kept)
  await publish(sql, ANSWER_CHANNEL, id)
}

async function answerTo(
  sql: Queryable,
  { companyId, id }: CommandId,
): Promise<EdgeCommandOutcome | undefined> {
  const row = await selectAnswer(sql, companyId, id)
  // Its edge died, and its commands were deleted.
  if (!row) return { ok: false, why: 'withdrawn' }
  const kept = row.answer as StoredAnswer | null
  if (!kept) return undefined
  return 'failed' in kept ? { ok: false, why: 'failed' } : { ok: true, answer: kept.value }
}

async function giveUp(sql: Queryable, command: CommandId): Promise<EdgeCommandOutcome> {
  if (await deleteUntaken(sql, command.companyId, command.id)) return { ok: false, why: 'withdrawn' }
  return (await answerTo(sql, command)) ?? { ok: false, why: 'unanswered' }
}

interface Answers {
  /** Returns a function that ends the wait. */
  wait(id: string, check: () => void): () => void
}

const listening = new WeakMap<PubSub, () => Promise<Answers>>()

/** One subscription for all waiting requests of this process. */
function answersOn(pubsub: PubSub): Promise<Answers> {
  const known = listening.get(pubsub) ?? lazyAsync(() => listenForAnswers(pubsub))
  listening.set(pubsub, known)
  return known()
}

async function listenForAnswers(pubsub: PubSub): Promise<Answers> {
  const waiting = new Map<string, () => void>()
  await pubsub.subscribe(ANSWER_CHANNEL, {
    onMessage: (id) => waiting.get(id)?.(),
    onGap() {
      for (const check of waiting.values()) check()
    },
  })
  return {
    wait(id, check) {
      waiting.set(id, check)
      return () => waiting.delete(id)
    },
  }
}
