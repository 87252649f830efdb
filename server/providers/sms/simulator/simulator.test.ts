import { afterEach, describe, expect, test } from 'vitest'

import { createTestClock } from '../../../../test/harness/test-clock.ts'
import { createLog } from '../../../platform/log.ts'
import { smsContract, type SmsFixture, staleContract } from '../contract.ts'
import { createSimulatorSigner } from './signature.ts'
import { simulator } from './simulator.ts'

const secret = 's'.repeat(32)
const log = createLog({ level: 'silent' })

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function open(): Promise<SmsFixture> {
  const clock = createTestClock()
  const provider = simulator({ secret, clock, log, answerMs: 15_000 })
  opened.push(() => provider.close())
  const signer = createSimulatorSigner({ secret, clock })
  const signed = (callback: object) => {
    const body = JSON.stringify(callback)
    return { url: 'http://127.0.0.1:9/', headers: signer.headersFor(body), body: Buffer.from(body) }
  }
  const at = '2026-11-15T08:00:00.000Z'
  return {
    provider,
    clock,
    signedText: (text) => signed({ type: 'message.received', ...text, received_at: at }),
    signedReport: ({ status, ...report }) =>
      signed({
        type: 'message.report',
        ...report,
        status: status === 'sent' ? 'accepted' : (status ?? 'unknown'),
        error_code: status === 'failed' ? 4 : null,
        at,
      }),
  }
}

describe('the simulator', () => {
  smsContract(open)
  staleContract(open)

  test('can be closed without use, and twice', async () => {
    const { provider } = await open()
    await provider.close()
    await provider.close()
  })

  test('is refused with the secret of another installation', async () => {
    const { signedText, clock } = await open()
    const other = simulator({ secret: 'o'.repeat(32), clock, log, answerMs: 1_000 })
    opened.push(() => other.close())
    const signed = signedText({ id: '1', from: '+4520112233', to: '+4578900100', text: 'Hej' })
    expect(other.readCallback(signed)).toBeUndefined()
  })
})
