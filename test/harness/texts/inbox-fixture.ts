import { beforeAll, beforeEach } from 'vitest'

import { newNumber } from '../calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../index.ts'
import { TEXT_KEYS } from './texts.ts'

/** Gives each test of a file a company that may text, with one number. */
export function inboxFixture(number: Parameters<typeof newNumber>[1] = {}) {
  const fixture = {} as { bellhop: Harness; company: TestCompany; numberId: string }
  beforeAll(async () => {
    fixture.bellhop = await harness(TEXT_KEYS)
  })
  beforeEach(async () => {
    fixture.company = await fixture.bellhop.newCompany({ messaging: true })
    fixture.numberId = await newNumber(fixture.company, number)
  })
  return fixture
}
