import { beforeAll, beforeEach } from 'vitest'

import { newNumber } from '../calls/telephony.ts'
import { type Harness, harness, type TestCompany } from '../index.ts'
import { TEXT_KEYS } from './texts.ts'

/** Gives each test of a file a company that may text, with one number. */
export function inboxStage(number: Parameters<typeof newNumber>[1] = {}) {
  const stage = {} as { bellhop: Harness; company: TestCompany; numberId: string }
  beforeAll(async () => {
    stage.bellhop = await harness(TEXT_KEYS)
  })
  beforeEach(async () => {
    stage.company = await stage.bellhop.newCompany({ messaging: true })
    stage.numberId = await newNumber(stage.company, number)
  })
  return stage
}
