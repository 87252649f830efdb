import { expect, test, vi } from 'vitest'

import type { TestClock } from '../../../test/harness/test-clock.ts'
import type { SignedRequest, SmsProvider } from './port.ts'

/** A provider with its system at the other end, which goes by the recipient's last four digits as the simulator does. */
export interface SmsFixture {
  provider: SmsProvider
  clock: TestClock
  /** An incoming text, signed as the provider signs. */
  signedText(text: { id: string; from: string; to: string; text: string }): SignedRequest
  /** A delivery report, signed as the provider signs; null is an unknown status. */
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

/** The contract of every provider. */
export function smsContract(open: () => Promise<SmsFixture>): void {
  test('an accepted text has an id', async () => {
    const { provider } = await open()
    const outcome = await provider.send({ ...text, to: '+4520110003' })
    expect(outcome).toMatchObject({ is: 'accepted', providerMessageId: expect.stringMatching(/^\S+$/) })
  })

  test("a refused text is not retried, and has our error code or the provider's number", async () => {
    const { provider } = await open()
    const outcome = await provider.send({ ...text, to: '+4520110001' })
    expect(outcome).toEqual({
      is: 'refused',
      error: 'provider_rejected',
      failureCode: expect.stringMatching(new RegExp(`^(provider_rejected|${provider.name}_\\d+)$`)),
    })
  })

  test('without a response in time the outcome is unknown', async () => {
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

  test('an incoming text is read as signed', async () => {
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

  test('a callback that is not signed, or was changed afterwards, is ignored', async () => {
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

/** For providers that sign the time: a captured request cannot be replayed later. */
export function staleContract(open: () => Promise<SmsFixture>): void {
  test('a callback that was signed more than five minutes ago is ignored', async () => {
    const { provider, clock, signedText } = await open()
    const signed = signedText(incoming)
    // The signature has whole seconds.
    clock.advance(5 * 60_000 - 1_000)
    expect(provider.readCallback(signed)).toBeDefined()
    clock.advance(3_000)
    expect(provider.readCallback(signed)).toBeUndefined()
  })
}
