import { Writable } from 'node:stream'

import { expect, test } from 'vitest'

import { createTestClock } from '../../../test/harness/test-clock.ts'
import { createLog } from '../../platform/log.ts'
import { TELEPHONY_LIMITS } from '../limits.ts'
import { LimitedLog } from './limited-log.ts'

const { refusalLinesBurst: burst } = TELEPHONY_LIMITS

test('a flood of refusals is a few lines, and the next line says how many were left out', () => {
  const lines: { msg: string; leftOut?: number }[] = []
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(JSON.parse(chunk.toString()))
      done()
    },
  })
  const clock = createTestClock()
  const limited = new LimitedLog(clock, createLog({ level: 'info', destination }))
  for (let flood = 0; flood < burst + 1_000; flood++) limited.warn({}, 'refused')
  expect(lines).toHaveLength(burst)
  limited.warn({}, 'blocked')
  expect(lines).toHaveLength(burst + 1)
  clock.advance(60_000)
  limited.warn({}, 'refused')
  expect(lines.at(-1)).toMatchObject({ msg: 'refused', leftOut: 1_000 })
})
