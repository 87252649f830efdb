import { expect, test } from 'vitest'

import { newNumber } from '../../../../test/harness/calls/telephony.ts'
import { harness } from '../../../../test/harness/index.ts'
import { numberOf } from '../../../../test/harness/texts/texting.ts'
import type { FairTurns } from '../../../platform/async/fair-turns.ts'
import { createNumberFinder, NOBODY } from './number-finder.ts'

const bellhop = await harness()

test('a flood to a number that cannot receive takes turns, until the number can', async () => {
  const company = await bellhop.newCompany({ messaging: true })
  const id = await newNumber(company, { sms: false, mute: true })
  const number = await numberOf(company, id)
  const taken: string[] = []
  const turns: FairTurns = {
    run(whose, work) {
      taken.push(whose)
      return work({ shouldBeShort: false })
    },
  }
  const find = createNumberFinder({ db: bellhop.db, turns })
  await expect(find(number)).rejects.toThrow()
  expect(taken).toEqual([])
  for (let i = 0; i < 3; i++) await expect(find(number)).rejects.toThrow()
  expect(taken).toEqual([NOBODY, NOBODY, NOBODY])

  await bellhop.db.sql`update business_numbers set sms_capable = true where id = ${id}`
  for (let i = 0; i < 3; i++) expect(await find(number)).toMatchObject({ companyId: company.companyId })
  expect(taken).toHaveLength(4)
})
