import { expect, test, vi } from 'vitest'

import { createTestClock } from '../../../test/harness/test-clock.ts'
import { createLog } from '../../platform/log.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { CompanyFeed } from './company-feed.ts'

/** A feed whose reads the test answers one by one. */
function openFeed() {
  const clock = createTestClock()
  const reads: { companyId: string; subjects: string[]; answer(state: string): void; fail(): void }[] = []
  const feed = new CompanyFeed<string>(
    { clock, log: createLog({ level: 'silent' }) },
    (companyId, subjects) =>
      new Promise((resolve, reject) => {
        const answer = (state: string) => resolve(new Map(subjects.map((subject) => [subject, state])))
        reads.push({ companyId, subjects, answer, fail: () => reject(new Error('away')) })
      }),
  )
  const seen: string[] = []
  const watch = (company: string, subject: string) =>
    feed.watch(company, subject, (state) => seen.push(`${company} ${subject} ${state}`))
  return { clock, reads, feed, seen, watch }
}

test('a company has one read at a time, and changes meanwhile are one more', async () => {
  const { reads, feed, seen, watch } = openFeed()
  watch('a', 'bob')
  watch('a', 'eve')
  expect(reads).toMatchObject([{ companyId: 'a', subjects: ['bob'] }])
  for (let change = 0; change < 5; change++) feed.changed('a')
  reads[0]!.answer('free')
  await vi.waitFor(() => expect(reads).toHaveLength(2))
  expect(reads[1]).toMatchObject({ subjects: ['bob', 'eve'] })
  reads[1]!.answer('busy')
  await vi.waitFor(() => expect(seen).toEqual(['a bob free', 'a bob busy', 'a eve busy']))
  expect(reads).toHaveLength(2)
})

test('what nobody watches is not read', async () => {
  const { reads, feed, watch } = openFeed()
  feed.changed('a')
  feed.allChanged()
  expect(reads).toEqual([])
  const { stop } = watch('a', 'bob')
  reads[0]!.answer('free')
  stop()
  feed.changed('a')
  feed.changed('b')
  expect(reads).toHaveLength(1)
})

test('a read that failed is repeated after a while', async () => {
  const { clock, reads, seen, watch } = openFeed()
  watch('a', 'bob')
  reads[0]!.fail()
  await vi.waitFor(() => {
    clock.advance(TELEPHONY_LIMITS.lampsAgainMs)
    expect(reads).toHaveLength(2)
  })
  reads[1]!.answer('free')
  await vi.waitFor(() => expect(seen).toEqual(['a bob free']))
})
