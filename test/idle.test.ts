import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { connectToEmbedded, newFolder, startService } from './harness/processes/bellhop-process.ts'

/** An edge sends one every three seconds: the window is fifteen. */
const HEARTBEATS = 5
/** Tasks that are due every minute, hour or day begin with a minute. The window avoids them: they would count four times. */
const TASKS_MS = 5_000
/** Measured: 75 to 95. It was 630 when everything that may be notified of was polled for as well. */
const STATEMENTS_PER_MINUTE_MAX = 200

interface LoggedStatement {
  at: number
  text: string
}

/** Each entry begins with its time; statements have several lines. */
function statementsIn(log: string): LoggedStatement[] {
  return log.split(/^(?=\d{4}-\d\d-\d\d )/m).flatMap((entry) => {
    const [, at, text] = /^(\S+ \S+) UTC \[\d+\] LOG: {2}(?:execute [^:]+|statement):([^]*)/.exec(entry) ?? []
    return at && text ? [{ at: Date.parse(`${at}Z`), text }] : []
  })
}

/** From one heartbeat to another, within a minute; undefined if there is none yet. */
function windowIn(all: LoggedStatement[]): LoggedStatement[] | undefined {
  const beats = all.filter(({ text }) => text.includes('update edges set alive_at'))
  for (const [index, first] of beats.entries()) {
    const last = beats[index + HEARTBEATS]
    const msIntoMinute = first.at % 60_000
    if (last && msIntoMinute > TASKS_MS && msIntoMinute + last.at - first.at < 60_000)
      return all.slice(all.indexOf(first), all.indexOf(last) + 1)
  }
  return undefined
}

test('an idle installation asks little of its database', async () => {
  const cwd = await newFolder()
  const dataDir = join(cwd, 'data')
  const service = await startService({ cwd, env: { BELLHOP_DATA_DIR: dataDir } })
  const sql = connectToEmbedded(dataDir)
  // The demo company has greetings to synthesise.
  const due = () => sql`select from graphile_worker._private_jobs where run_at <= now()`
  await vi.waitFor(async () => expect(await due()).toHaveLength(0), { timeout: 150_000, interval: 500 })
  await sql.unsafe(`alter system set log_statement = 'all'`)
  await sql`select pg_reload_conf()`
  await sql.end()

  const statements = async () =>
    statementsIn(await readFile(join(dataDir, 'postgres', 'postgres.log'), 'utf8'))
  const seen = await vi.waitFor(
    async () => windowIn(await statements()) ?? expect.fail('too few heartbeats within a minute'),
    { timeout: 120_000, interval: 500 },
  )
  const minutes = (seen.at(-1)!.at - seen[0]!.at) / 60_000
  const texts = seen.slice(1).map(({ text }) => text)
  expect(texts.length / minutes, texts.join('\n')).toBeLessThan(STATEMENTS_PER_MINUTE_MAX)
  service.signal('SIGTERM')
  expect(await service.ended).toBe(0)
})
