import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { Batches } from '../platform/async/batches.ts'
import type { FairTurns } from '../platform/async/fair-turns.ts'
import { type RequestActor, route } from '../platform/http/route.ts'
import { mount } from './mount.ts'

const ACTOR = { companyId: 'company' } as RequestActor

/** Serves a list of so many batches in turns that should be short or not; says what was asked for in each. */
async function readList(isShort: boolean[]) {
  const asked: { companyId: string; isLimited: boolean }[] = []
  let turn = { companyId: '' }
  let left = isShort.length
  const turns: FairTurns = {
    run(companyId, work) {
      turn = { companyId }
      return work({ shouldBeShort: isShort[asked.length] ?? false })
    },
  }
  const list = new Batches(async (size) => {
    if (left-- === 0) return undefined
    asked.push({ ...turn, isLimited: size !== undefined })
    turn = { companyId: 'none: the turn was used already' }
    return [{ id: String(left) }]
  })
  const declared = { method: 'GET', path: '/list', name: 'list', summary: 'A list' } as const
  const app = fastify()
  mount(
    app,
    route({ ...declared, reply: { 200: z.array(z.object({ id: z.string() })) } }, () => list),
    { actorOf: () => ACTOR, turns },
  )
  const { body } = await app.inject('/list')
  await app.close()
  return { asked, ids: (JSON.parse(body) as { id: string }[]).map(({ id }) => id) }
}

test('each batch of a list is a turn of the company, the first that of the request, and is short if the turn should be', async () => {
  const { asked, ids } = await readList([true, true, false, true])
  expect(asked).toEqual(
    [true, true, false, true].map((isLimited) => ({ companyId: ACTOR.companyId, isLimited })),
  )
  expect(ids).toEqual(['3', '2', '1', '0'])
})
