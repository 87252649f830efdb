import type { Clock } from '../../platform/clock.ts'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { type PubSub, publish } from '../../platform/db/pubsub.ts'
import { onceMade } from '../../platform/once-made.ts'
import {
  deleteUntaken,
  insertCommand,
  selectAnswer,
  takeCommands,
  type TakenCommand,
  updateAnswer,
} from './command-queries.ts'

/** Where edges hear that something is there for them: `<edge> command`, or `<edge> offers <company> <call>`. */
export const EDGE_CHANNEL = 'edge'

/** Where the API hears that a command has its answer: its id. */
const ANSWER_CHANNEL = 'edge_answer'

/** What became of a command. */
export type Asked =
  | { ok: true; answer: unknown }
  /** Nobody took it, and nobody will; or no edge holds the call. */
  | { ok: false; why: 'withdrawn' }
  /** It was taken, and its outcome is not known; it may still come. */
  | { ok: false; why: 'unanswered' }
  /** The edge tried, and broke. */
  | { ok: false; why: 'failed' }

/** How an answer is kept. */
type Kept = { value: unknown } | { failed: true }

export interface CommandId {
  companyId: string
  id: string
}

/** Part of the caller's transaction: the edge hears of it when that commits. Undefined when no edge holds the call. */
export async function postCommand(
  tx: Queryable,
  { companyId, callId, command }: { companyId: string; callId: string; command: unknown },
): Promise<CommandId | undefined> {
  const row = await insertCommand(tx, companyId, callId, command)
  if (!row) return undefined
  await publish(tx, EDGE_CHANNEL, `${row.edge_id} command`)
  return { companyId, id: row.id }
}

interface Line {
  db: Database
  pubsub: PubSub
  clock: Clock
}

/** Waits for what became of a command, and withdraws it when the time is over. */
export async function outcomeOf(line: Line, command: CommandId, limitMs: number): Promise<Asked> {
  const { db, pubsub, clock } = line
  const answers = await answersOn(pubsub)
  const ends: (() => void)[] = []
  const asked = new Promise<Asked>((resolve, reject) => {
    const look = () => {
      // A look that fails is made up for by the next, at the latest when the time is over.
      answerTo(db.sql, command).then(
        (found) => found && resolve(found),
        () => {},
      )
    }
    const giveUpNow = () => {
      giveUp(db.sql, command).then(resolve, reject)
    }
    ends.push(clock.after(limitMs, giveUpNow), answers.wait(command.id, look))
    // It may have come before we listened.
    look()
  })
  return asked.finally(() => ends.forEach((end) => end()))
}

/** Asks the edge that holds a call to do something, in the transaction that prepares it, and waits for the answer. */
export async function askEdge(
  db: Database,
  pubsub: PubSub,
  clock: Clock,
  prepare: (tx: Tx) => Promise<{ companyId: string; callId: string; command: unknown }>,
  limitMs: number,
): Promise<Asked> {
  const command = await db.tx(async (tx) => postCommand(tx, await prepare(tx)))
  return command ? outcomeOf({ db, pubsub, clock }, command, limitMs) : { ok: false, why: 'withdrawn' }
}

/** For the edge: what was asked of it and nobody has taken. */
export const claimCommands = (sql: Queryable, edgeId: string): Promise<TakenCommand[]> =>
  takeCommands(sql, edgeId)

export async function answerCommand(sql: Queryable, { companyId, id }: CommandId, kept: Kept): Promise<void> {
  await updateAnswer(sql, companyId, id, kept)
  await publish(sql, ANSWER_CHANNEL, id)
}

async function answerTo(sql: Queryable, { companyId, id }: CommandId): Promise<Asked | undefined> {
  const row = await selectAnswer(sql, companyId, id)
  // Its edge died, and everything of it is gone.
  if (!row) return { ok: false, why: 'withdrawn' }
  const kept = row.answer as Kept | null
  if (!kept) return undefined
  return 'failed' in kept ? { ok: false, why: 'failed' } : { ok: true, answer: kept.value }
}

async function giveUp(sql: Queryable, command: CommandId): Promise<Asked> {
  if (await deleteUntaken(sql, command.companyId, command.id)) return { ok: false, why: 'withdrawn' }
  return (await answerTo(sql, command)) ?? { ok: false, why: 'unanswered' }
}

interface Answers {
  /** The returned function ends it. */
  wait(id: string, look: () => void): () => void
}

const listening = new WeakMap<PubSub, () => Promise<Answers>>()

/** One subscription for all who wait in this process. */
function answersOn(pubsub: PubSub): Promise<Answers> {
  const known = listening.get(pubsub) ?? onceMade(() => listenForAnswers(pubsub))
  listening.set(pubsub, known)
  return known()
}

async function listenForAnswers(pubsub: PubSub): Promise<Answers> {
  const waiting = new Map<string, () => void>()
  await pubsub.subscribe(ANSWER_CHANNEL, {
    onMessage: (id) => waiting.get(id)?.(),
    onGap() {
      for (const look of waiting.values()) look()
    },
  })
  return {
    wait(id, look) {
      waiting.set(id, look)
      return () => waiting.delete(id)
    },
  }
}
