import { expect, test, vi } from 'vitest'

import { openTestControl, startTestEdge } from '../../../test/harness/calls/edge.ts'
import { newCall } from '../../../test/harness/calls/telephony.ts'
import { harness } from '../../../test/harness/index.ts'
import { openPubSub } from '../../platform/db/pubsub.ts'
import type { CreateCallControl } from '../../telephony/port.ts'
import { runEdgeCommand } from './index.ts'

const bellhop = await harness()
const { db, clock } = bellhop

async function liveCall(edgeId: string) {
  const company = await bellhop.newCompany()
  const id = await newCall(company, { state: 'bridged', ended_at: null as never })
  await db.sql`update calls set edge_id = ${edgeId} where id = ${id}`
  return { companyId: company.companyId, callId: id }
}

async function ask(call: { companyId: string; callId: string }, command: unknown, moveMs = 0) {
  const pubsub = openPubSub(db.address, bellhop.parts.log)
  try {
    const asked = runEdgeCommand(db, pubsub, clock, async () => ({ ...call, command }), 5_000)
    if (moveMs > 0) {
      await vi.waitFor(async () => {
        const { callId } = call
        const [row] = await db.sql`select from edge_commands where call_id = ${callId}`
        if (!row) throw new Error('not asked yet')
      }, 20_000)
      // The wait began with the command and ends at the timeout, however late the clock moves.
      const moving = setInterval(() => clock.advance(moveMs), 50)
      await asked.finally(() => clearInterval(moving))
    }
    return await asked
  } finally {
    await pubsub.close()
  }
}

test('a command reaches the edge of the call, and its result the requester', async () => {
  const [here, there] = [openTestControl(), openTestControl()]
  const holder = await startTestEdge(bellhop, here.create)
  await startTestEdge(bellhop, there.create)
  const call = await liveCall(holder.id)
  expect(await ask(call, { do: 'transfer' })).toEqual({ ok: true, answer: { did: { do: 'transfer' } } })
  expect(here.commands.map(({ callId }) => callId)).toEqual([call.callId])
  expect(there.commands).toEqual([])
})

test('commands of a call are carried out one after the other, in the order they were given', async () => {
  const order: number[] = []
  const slow: CreateCallControl = (edge) => ({
    ...openTestControl().create(edge),
    async execute(_, __, command) {
      const { number } = command as { number: number }
      await new Promise((resolve) => setTimeout(resolve, (5 - number) * 20))
      order.push(number)
      return number
    },
  })
  const edge = await startTestEdge(bellhop, slow)
  const call = await liveCall(edge.id)
  const pubsub = openPubSub(db.address, bellhop.parts.log)
  const asked: Promise<unknown>[] = []
  for (const number of [1, 2, 3, 4]) {
    asked.push(runEdgeCommand(db, pubsub, clock, async () => ({ ...call, command: { number } }), 5_000))
    await vi.waitFor(async () => {
      const rows = await db.sql`select from edge_commands where call_id = ${call.callId}`
      if (rows.length < number) throw new Error('not given yet')
    }, 20_000)
  }
  expect(await Promise.all(asked)).toEqual([1, 2, 3, 4].map((answer) => ({ ok: true, answer })))
  expect(order).toEqual([1, 2, 3, 4])
  await pubsub.close()
})

test('a command that is not claimed in time is withdrawn, and never carried out', async () => {
  const [edge] = await db.sql<{ id: string }[]>`
    insert into edges (sip_host, sip_port, alive_at) values ('127.0.0.1', 1, now() + interval '1 hour')
    returning id`
  const call = await liveCall(edge!.id)
  expect(await ask(call, {}, 6_000)).toEqual({ ok: false, why: 'withdrawn' })
  expect(await db.sql`select from edge_commands where call_id = ${call.callId}`).toHaveLength(0)
  await db.sql`delete from edges where id = ${edge!.id}`
})

test('a command that was claimed and has no result in time stays open', async () => {
  const held: ((value: unknown) => void)[] = []
  const stuck: CreateCallControl = (edge) => ({
    ...openTestControl().create(edge),
    execute: () => new Promise((resolve) => held.push(resolve)),
  })
  const edge = await startTestEdge(bellhop, stuck)
  const call = await liveCall(edge.id)
  const taken = vi.waitFor(async () => {
    const [row] = await db.sql`
      select from edge_commands where call_id = ${call.callId} and taken_at is not null`
    if (!row) throw new Error('not taken yet')
  }, 20_000)
  const pubsub = openPubSub(db.address, bellhop.parts.log)
  const asked = runEdgeCommand(db, pubsub, clock, async () => ({ ...call, command: {} }), 5_000)
  await taken
  const moving = setInterval(() => clock.advance(6_000), 50)
  expect(await asked.finally(() => clearInterval(moving))).toEqual({ ok: false, why: 'unanswered' })
  for (const release of held) release('late')
  await pubsub.close()
})

const broken: CreateCallControl = (edge) => ({
  ...openTestControl().create(edge),
  execute: () => Promise.reject(new Error('broken on purpose')),
})

test('a failed command is distinguished from one without a result', async () => {
  const edge = await startTestEdge(bellhop, broken)
  expect(await ask(await liveCall(edge.id), {})).toEqual({ ok: false, why: 'failed' })
})

test('no edge is asked about a call without an edge', async () => {
  const company = await bellhop.newCompany()
  const callId = await newCall(company)
  expect(await ask({ companyId: company.companyId, callId }, {})).toEqual({ ok: false, why: 'withdrawn' })
})

test('an edge is notified of offers of its own calls only', async () => {
  const control = openTestControl()
  const edge = await startTestEdge(bellhop, control.create)
  const other = '00000000-0000-7000-8000-000000000000'
  await db.sql`select pg_notify('edge', ${`${other} offers a b`})`
  await db.sql`select pg_notify('edge', ${`${edge.id} offers company call`})`
  expect(await control.noticed.take()).toBe('company call')
  expect(control.noticed.waiting).toEqual([])
})
