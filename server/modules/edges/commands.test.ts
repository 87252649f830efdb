import { expect, inject, onTestFinished, test } from 'vitest'

import { openTestControl, startTestEdge } from '../../../test/harness/calls/edge.ts'
import { newCall } from '../../../test/harness/calls/telephony.ts'
import { harness } from '../../../test/harness/index.ts'
import { startPostgresProxy } from '../../../test/harness/processes/postgres-proxy.ts'
import { passTimeUntil } from '../../../test/harness/test-clock.ts'
import type { Clock } from '../../platform/clock.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { openPubSub } from '../../platform/db/pubsub.ts'
import { runEdgeCommand } from './index.ts'

const bellhop = await harness()
const server = inject('postgres')
const proxy = await startPostgresProxy(`${server.host}/.s.PGSQL.${server.port}`)
const { database } = bellhop.db.address as { database: string }
const address = { ...proxy.address, user: server.user, database }

/** The clock of the installation, and the number of its pending timers. */
function countTimers() {
  const waiting = new Set<() => void>()
  const clock: Clock = {
    now: bellhop.clock.now,
    after(ms, run) {
      waiting.add(run)
      const callOff = bellhop.clock.after(ms, () => {
        waiting.delete(run)
        run()
      })
      return () => {
        waiting.delete(run)
        callOff()
      }
    },
  }
  return { clock, waiting: () => waiting.size }
}

/** An API whose connection to the database can be broken, and a call to command. */
async function openAsking() {
  const db = openDatabase(address, { poolSize: 2 })
  const pubsub = openPubSub(address, bellhop.parts.log)
  onTestFinished(async () => {
    await pubsub.close()
    await db.close()
  })
  const edge = await startTestEdge(bellhop, openTestControl().create)
  const company = await bellhop.newCompany()
  const callId = await newCall(company, { state: 'bridged', ended_at: null, edge_id: edge.id })
  const timers = countTimers()
  const command = { do: 'transfer' }
  const prepare = async () => ({ companyId: company.companyId, callId, command })
  const ask = () => runEdgeCommand(db, pubsub, timers.clock, prepare, 5_000)
  return { ask, timers, done: { ok: true, answer: { did: command } } }
}

test('after a failed LISTEN, the next command gets its result', async () => {
  const { ask, timers, done } = await openAsking()
  proxy.garble('listen', 1)
  await expect(ask()).rejects.toMatchObject({ code: '42601' })
  expect(await ask()).toEqual(done)
  expect(timers.waiting()).toBe(0)
})

test('a failed query for the result is repeated, and leaves no timer behind', async () => {
  const { ask, timers, done } = await openAsking()
  proxy.garble('select answer', 1)
  expect(await passTimeUntil(bellhop.clock, ask())).toEqual(done)
  expect(timers.waiting()).toBe(0)
})

test('an unknown outcome of a command is reported as such, and leaves no timer behind', async () => {
  const { ask, timers } = await openAsking()
  proxy.garble('from edge_commands', Infinity)
  onTestFinished(() => proxy.garble('', 0))
  await expect(passTimeUntil(bellhop.clock, ask())).rejects.toMatchObject({ code: '42601' })
  expect(timers.waiting()).toBe(0)
})
