import { expect, test, vi } from 'vitest'

import type { TestClock } from '../../../test/harness/test-clock.ts'
import type { SignedRequest, SmsProvider } from './port.ts'

/** A provider with somebody at the other end, who goes by the last four digits of the recipient as the simulator. */
export interface Stage {
  provider: SmsProvider
  clock: TestClock
  /** An incoming text, signed as the vendor signs. */
  signedText(text: { id: string; from: string; to: string; text: string }): SignedRequest
  /** A report, signed as the vendor signs; null is a status that nobody has heard of. */
  signedReport(report: {
    id: string
    from: string
    to: string
    status: 'delivered' | 'failed' | 'sent' | null
  }): SignedRequest
}

const text = { from: '+4578900100', text: 'Blåbær {50 €}', statusUrl: 'http://127.0.0.1:9/reports?attempt=1' }
const incoming = { id: 'in-1', from: '+4520112233', to: '+4578900100', text: 'Hej 👋 & tak' }
const report = { id: 'out-1', from: '+4578900100', to: '+4520112233' }

/** What every provider promises. */
export function smsContract(open: () => Promise<Stage>): void {
  test('a text that is taken has an id', async () => {
    const { provider } = await open()
    const outcome = await provider.send({ ...text, to: '+4520110003' })
    expect(outcome).toMatchObject({ is: 'accepted', providerMessageId: expect.stringMatching(/^\S+$/) })
  })

  test('a text that is refused is refused for good, with a code of ours or a number of theirs', async () => {
    const { provider } = await open()
    const outcome = await provider.send({ ...text, to: '+4520110001' })
    expect(outcome).toEqual({
      is: 'refused',
      error: 'provider_rejected',
      failureCode: expect.stringMatching(new RegExp(`^(provider_rejected|${provider.name}_\\d+)$`)),
    })
  })

  test('an answer that does not come in time leaves it unknown', async () => {
    const { provider, clock } = await open()
    const sending = provider.send({ ...text, to: '+4520110002' })
    let outcome: unknown
    void sending.then((known) => (outcome = known))
    await vi.waitFor(
      () => {
        clock.advance(1_000)
        expect(outcome).toEqual({ is: 'unknown' })
      },
      { timeout: 30_000, interval: 20 },
    )
  })

  test('an incoming text is read as it was signed', async () => {
    const { provider, signedText } = await open()
    expect(provider.readCallback(signedText(incoming))).toMatchObject({
      kind: 'text',
      providerMessageId: 'in-1',
      from: incoming.from,
      to: incoming.to,
      text: incoming.text,
    })
  })

  test.each([
    ['delivered', 'delivered'],
    ['failed', 'failed'],
    ['sent', 'accepted'],
    [null, 'unknown'],
  ] as const)('a report that it is %s says %s', async (status, read) => {
    const { provider, signedReport } = await open()
    expect(provider.readCallback(signedReport({ ...report, status }))).toMatchObject({
      kind: 'report',
      providerMessageId: 'out-1',
      from: report.from,
      to: report.to,
      status: read,
      failureCode: status === 'failed' ? expect.stringMatching(new RegExp(`^${provider.name}_\\d+$`)) : null,
    })
  })

  test('what is not signed, or was changed after it was, is not read at all', async () => {
    const { provider, signedText } = await open()
    const signed = signedText(incoming)
    const changed = Buffer.from(signed.body.toString().replace('4520112233', '4520112234'))
    expect(changed.equals(signed.body)).toBe(false)
    expect(provider.readCallback({ ...signed, body: changed })).toBeUndefined()
    expect(provider.readCallback({ ...signed, headers: {} })).toBeUndefined()
    expect(provider.readCallback({ ...signed, body: Buffer.alloc(0) })).toBeUndefined()
    for (const [name, value] of Object.entries(signed.headers)) {
      const headers = { ...signed.headers, [name]: [value as string, value as string] }
      if (/signature/.test(name)) expect(provider.readCallback({ ...signed, headers })).toBeUndefined()
    }
    expect(provider.readCallback(signed)).toMatchObject({ kind: 'text' })
  })
}

/** For those who sign the time: a request that was listened in on cannot be used later. */
export function staleContract(open: () => Promise<Stage>): void {
  test('what was signed more than five minutes ago is not read', async () => {
    const { provider, clock, signedText } = await open()
    const signed = signedText(incoming)
    // It is signed in whole seconds.
    clock.advance(5 * 60_000 - 1_000)
    expect(provider.readCallback(signed)).toBeDefined()
    clock.advance(3_000)
    expect(provider.readCallback(signed)).toBeUndefined()
  })
}
