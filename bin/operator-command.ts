import type { Command } from 'commander'

import { type Config, loadConfig } from '../server/config.ts'
import { askEdges, type EdgeAnswer, type EdgeQuestion } from '../server/modules/edges/index.ts'
import { systemClock } from '../server/platform/clock.ts'
import type { Database, Tx } from '../server/platform/db/database.ts'
import { openPubSub } from '../server/platform/db/pubsub.ts'
import { AppError, OperatorError } from '../server/platform/errors.ts'
import { decodeId, encodeId, type IdPrefix } from '../server/platform/ids.ts'
import { createLog, type Log } from '../server/platform/log.ts'
import { openInstallationDatabase } from '../server/wiring/database.ts'
import { LIMITS } from './limits.ts'
import { nameOptionInError } from './option-errors.ts'

export interface CommandResult {
  /** Printed with --json. */
  json: Record<string, unknown>
  /** Printed otherwise. */
  text: string
}

/** For commands that end: only problems are worth a line. */
export const quietLog = (): Log => createLog({ level: 'warn' })

/** Runs an operator's command in one transaction, whether the service runs or not, and prints the result. */
export function runOperatorCommand(
  command: Command,
  run: (tx: Tx, parts: { config: Config; log: Log }) => Promise<CommandResult>,
): Promise<void> {
  return runLongOperatorCommand(command, (db, parts) => db.tx((tx) => run(tx, parts)))
}

/** The same for commands that would keep a transaction open for too long. */
export async function runLongOperatorCommand(
  command: Command,
  run: (db: Database, parts: { config: Config; log: Log }) => Promise<CommandResult>,
): Promise<void> {
  const config = loadConfig()
  const log = quietLog()
  const store = await openInstallationDatabase(config, log)
  try {
    print(command, await run(store.db, { config, log }))
  } catch (error) {
    throw nameOptionInError(command, error)
  } finally {
    await store.close()
  }
}

export function print(command: Command, { json, text }: CommandResult): void {
  const { json: asJson } = command.optsWithGlobals<{ json?: boolean }>()
  process.stdout.write(`${asJson ? JSON.stringify(json) : text}\n`)
}

/** Asks every running edge, which another process is. */
export async function askRunningEdges<T>(
  db: Database,
  log: Log,
  question: EdgeQuestion,
  answer: Parameters<typeof askEdges<T>>[2],
): Promise<EdgeAnswer<T>[]> {
  const pubsub = openPubSub(db.address, log)
  try {
    return await askEdges({ db, pubsub, clock: systemClock }, question, answer, LIMITS.edgeAnswerMs)
  } finally {
    await pubsub.close()
  }
}

const NOUNS = {
  com: 'company',
  dev: 'device',
  emp: 'employee',
  key: 'API key',
  num: 'number',
  int: 'integration',
} satisfies Partial<Record<IdPrefix, string>>
type Known = keyof typeof NOUNS

/** Parses an id of this kind. */
export const parseIdArgument = (prefix: Known) => (text: string) => {
  const uuid = decodeId(prefix, text)
  if (!uuid) throw new OperatorError(`${JSON.stringify(text)} is not the id of ${aThing(prefix)}.`)
  return uuid
}

/** Names what is missing, where the domain only says that something was not found. */
export async function withMissingName<T>(prefix: Known, id: string, run: Promise<T>): Promise<T> {
  try {
    return await run
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    throw new OperatorError(`There is no ${NOUNS[prefix]} ${encodeId(prefix, id)}.`, { cause: error })
  }
}

function aThing(prefix: Known): string {
  const article = /^[aeiou]/i.test(NOUNS[prefix]) ? 'an' : 'a'
  return `${article} ${NOUNS[prefix]}, which begins with ${prefix}_`
}
