import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

import Telnyx from 'telnyx'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { type SmsRequest, startSmsProviderServer } from '../../../test/harness/peers/sms-provider-server.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { smsContract, type SmsFixture, staleContract } from './contract.ts'
import { telnyx } from './telnyx.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const rawKey = (key: KeyObject) =>
  key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

const STATUSES = { delivered: 'delivered', failed: 'delivery_failed', sent: 'sent' }

const answerTo = ({ body }: SmsRequest) => {
  const { to } = JSON.parse(body) as { to: string }
  switch (to.slice(-4)) {
    case '0001':
      return {
        status: 403,
        body: { errors: [{ code: '40310', title: 'Invalid', detail: 'a secret detail' }] },
      }
    case '0002':
      return undefined
    case '0006':
      return { status: 500, body: 'oops' }
    case '0007':
      return { status: 401, body: { errors: [{ code: '10009', title: 'Authentication failed' }] } }
    case '0008':
      return { status: 200, body: '<html>' }
    case '0009':
      return { status: 401, body: undefined }
    case '0010':
      return { status: 400, body: undefined }
    case '0011':
      return { status: 200, body: undefined }
    default:
      return { status: 200, body: { data: { id: 'tx-1', parts: 2, to: [{ status: 'queued' }] } } }
  }
}

async function open() {
  const clock = createTestClock()
  const vendor = await startSmsProviderServer(answerTo)
  const options = { url: vendor.url, apiKey: 'KEY1', publicKey: rawKey(publicKey), clock, answerMs: 15_000 }
  const provider = telnyx(options)
  opened.push(() => provider.close(), vendor.close)
  const signed = (event: object) => {
    const body = Buffer.from(JSON.stringify(event))
    const timestamp = String(Math.floor(clock.now().getTime() / 1000))
    const signature = sign(null, Buffer.concat([Buffer.from(`${timestamp}|`), body]), privateKey)
    const headers = {
      'telnyx-timestamp': timestamp,
      'telnyx-signature-ed25519': signature.toString('base64'),
    }
    return { url: 'https://phone.example/webhooks/telnyx/messages', headers, body }
  }
  const stage: SmsFixture = {
    provider,
    clock,
    signedText: ({ id, from, to, text }) =>
      signed(event('message.received', { id, from, to: [{ phone_number: to }], text, parts: 1 })),
    signedReport: ({ id, from, to, status }) =>
      signed(
        event('message.finalized', {
          id,
          from,
          to: [{ phone_number: to, status: status ? STATUSES[status] : 'delivery_unconfirmed' }],
          errors: status === 'failed' ? [{ code: '40001', title: 'Not routable' }] : [],
        }),
      ),
  }
  return { ...stage, vendor, signed }
}

function event(event_type: string, { from, ...payload }: { from: string } & Record<string, unknown>) {
  const occurred_at = '2026-11-15T08:00:00.000+00:00'
  return {
    data: { id: 'ev-1', event_type, occurred_at, payload: { ...payload, from: { phone_number: from } } },
  }
}

describe('Telnyx', () => {
  smsContract(open)
  staleContract(open)

  const text = { from: '+4578900100', text: 'Hello', statusUrl: 'https://phone.example/reports?attempt=1' }

  test('gets requests as its API requires, with the URL for delivery reports', async () => {
    const { provider, vendor } = await open()
    const outcome = await provider.send({ ...text, to: '+4520112233' })
    expect(outcome).toEqual({ is: 'accepted', providerMessageId: 'tx-1', parts: 2 })
    expect(vendor.asked).toHaveLength(1)
    const [{ path, headers, body }] = vendor.asked as [SmsRequest]
    expect([path, headers.authorization]).toEqual(['/v2/messages', 'Bearer KEY1'])
    expect(JSON.parse(body)).toMatchObject({
      from: '+4578900100',
      to: '+4520112233',
      text: 'Hello',
      webhook_url: text.statusUrl,
    })
  })

  test.each([
    ['0001', { is: 'refused', error: 'provider_rejected', failureCode: 'telnyx_40310' }],
    ['0006', { is: 'unknown' }],
    ['0007', { is: 'refused', error: 'sending_unavailable', failureCode: 'sending_unavailable' }],
    ['0008', { is: 'unknown' }],
  ])('gets one request, whatever its response: %s', async (digits, outcome) => {
    const { provider, vendor } = await open()
    expect(await provider.send({ ...text, to: `+452011${digits}` })).toEqual(outcome)
    expect(vendor.asked).toHaveLength(1)
  })

  test.each([
    ['0009', { is: 'refused', error: 'sending_unavailable', failureCode: 'sending_unavailable' }],
    ['0010', { is: 'refused', error: 'provider_rejected', failureCode: 'provider_rejected' }],
    ['0011', { is: 'unknown' }],
  ])('is judged by its status, even if the body never ends: %s', async (digits, expected) => {
    const { provider, clock } = await open()
    let outcome: unknown
    const sending = provider.send({ ...text, to: `+452011${digits}` }).then((known) => (outcome = known))
    await vi.waitFor(
      () => {
        clock.advance(1_000)
        expect(outcome).toEqual(expected)
      },
      { timeout: 30_000, interval: 20 },
    )
    await sending
  })

  test('that cannot be reached has definitely not accepted the text', async () => {
    const { provider, vendor } = await open()
    await vendor.close()
    expect(await provider.send({ ...text, to: '+4520112233' })).toMatchObject({
      is: 'refused',
      error: 'sending_unavailable',
    })
  })

  test("signs as Telnyx's own package checks it", async () => {
    const { provider, signedText } = await open()
    const theirs = new Telnyx({ apiKey: 'KEY1', publicKey: rawKey(publicKey) })
    const signed = signedText({ id: 'in-1', from: '+4520112233', to: '+4578900100', text: 'Hej' })
    const check = (body: string) => theirs.webhooks.unwrap(body, { headers: signed.headers as never })
    await expect(check(signed.body.toString())).resolves.toMatchObject({
      data: { payload: { text: 'Hej' } },
    })
    await expect(check(signed.body.toString().replace('Hej', 'Nej'))).rejects.toThrow()
    expect(provider.readCallback(signed)).toMatchObject({ kind: 'text', text: 'Hej' })
  })

  test('is refused if another key has signed', async () => {
    const { signedText, clock } = await open()
    const otherKey = rawKey(generateKeyPairSync('ed25519').publicKey)
    const otherProvider = telnyx({
      url: 'http://127.0.0.1:9',
      apiKey: 'KEY1',
      publicKey: otherKey,
      clock,
      answerMs: 1_000,
    })
    opened.push(() => otherProvider.close())
    const signed = signedText({ id: 'in-1', from: '+4520112233', to: '+4578900100', text: 'Hej' })
    expect(otherProvider.readCallback(signed)).toBeUndefined()
  })

  test('may send other events, and invalid ones, which are ignored', async () => {
    const { provider, signed } = await open()
    const other = { data: { event_type: 'number_order.complete', payload: {} } }
    expect(provider.readCallback(signed(other))).toEqual({ kind: 'other' })
    expect(provider.readCallback(signed({ hello: 1 }))).toEqual({ kind: 'malformed' })
    expect(provider.readCallback(signed(event('message.received', { from: '+45' })))).toEqual({
      kind: 'malformed',
    })
  })
})
