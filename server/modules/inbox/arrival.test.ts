import { expect, test } from 'vitest'

import { newCall, newVoicemail } from '../../../test/harness/calls/telephony.ts'
import { inboxFixture } from '../../../test/harness/texts/inbox-fixture.ts'
import { callBack, incoming, numberOf } from '../../../test/harness/texts/texting.ts'
import { newText } from '../../../test/harness/texts/texts.ts'
import type { Tx } from '../../platform/db/database.ts'

const fixture = inboxFixture()

const ANNA = '+4520112233'

const get = async (path: string) => (await fixture.company.api.get(path)).body

test('of texts that arrive at once, the page is in the order of their times, and so are its cursors', async () => {
  const to = await numberOf(fixture.company, fixture.numberId)
  const arrive = (n: number) =>
    callBack(fixture.bellhop, 'messages', incoming(to, { from: ANNA, text: `${n}` }))
  await Promise.all(Array.from({ length: 20 }, (_, n) => arrive(n)))
  const first = await get(`/inbox/${ANNA}/activity?limit=7`)
  const second = await get(`/inbox/${ANNA}/activity?cursor=${first.next_cursor}`)
  const items = [...first.items, ...second.items] as { id: string; created_at: string }[]
  const times = items.map(({ created_at }) => created_at)
  expect(new Set(times).size).toBe(20)
  expect(times).toEqual(times.toSorted().toReversed())
  for (const { id, created_at } of items) expect((await get(`/messages/${id}`)).created_at).toBe(created_at)
  const { threads } = await get('/inbox')
  expect(threads[0].last_activity_at).toBe(`${times[0]!.slice(0, -4)}Z`)
})

test('items of all kinds have the time of their arrival, also those of a long transaction', async () => {
  const business_number_id = fixture.numberId
  await fixture.bellhop.db.tx(async (tx) => {
    // The transaction, and its now(), begins before the call arrives.
    await tx`select now()`
    await newCall(fixture.company, { business_number_id, remote_number: ANNA })
    await tx`
      insert into voicemails (company_id, business_number_id, from_number)
      values (${fixture.company.companyId}, ${business_number_id}, ${ANNA})`
  })
  await newText(fixture.company, { business_number_id, remote_number: ANNA })
  await newVoicemail(fixture.company, { business_number_id, from_number: '+4520112244' })
  const { items } = await get(`/inbox/${ANNA}/activity`)
  expect(items.map(({ type }: { type: string }) => type)).toEqual(['message', 'voicemail', 'call'])
  const times = items.map(({ created_at }: { created_at: string }) => Date.parse(created_at))
  expect(times).toEqual(times.toSorted((a: number, b: number) => b - a))
  const { voicemails } = await get('/voicemails')
  const shown = voicemails.find(({ from }: { from: string }) => from === ANNA)
  expect(items[1].created_at).toBe(shown.created_at)
  const { threads } = await get('/inbox')
  const latest = threads.map(({ last_activity_at }: { last_activity_at: string }) => last_activity_at)
  expect(latest).toEqual(latest.toSorted().toReversed())
})

test('a number that first calls waits for no other', async () => {
  const { companyId } = fixture.company
  await fixture.bellhop.db.tx(async (tx) => {
    await newNumbers(tx, 40_000_000, 1)
    await fixture.bellhop.db.tx(async (other) => {
      await other`set local lock_timeout to '5s'`
      await newNumbers(other, 50_000_000, 1_500)
    })
  })

  function newNumbers(tx: Tx, first: number, count: number) {
    return tx`
      insert into calls (company_id, business_number_id, direction, remote_number, state)
      select ${companyId}, ${fixture.numberId}, 'inbound', '+45' || ${first}::integer + n, 'ended'
      from generate_series(1, ${count}::integer) as n`
  }
})
