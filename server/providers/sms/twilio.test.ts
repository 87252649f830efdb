import { createRequire } from 'node:module'

import { afterEach, describe, expect, test } from 'vitest'

import { type SmsRequest, startSmsProviderServer } from '../../../test/harness/peers/sms-provider-server.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { smsContract, type SmsFixture } from './contract.ts'
import { twilio } from './twilio.ts'

/** Only this part of Twilio's package: all of it takes seconds to load. */
const theirs = createRequire(import.meta.url)(
  'twilio/lib/webhooks/webhooks.js',
) as typeof import('twilio/lib/webhooks/webhooks.js')

const ACCOUNT = `AC${'0'.repeat(32)}`
const TOKEN = '12345678901234567890123456789012'
const URL_OF_CALLBACKS = 'https://phone.example/webhooks/twilio/sms_statuses?attempt=1'

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

const answerTo = ({ body }: SmsRequest) => {
  switch (new URLSearchParams(body).get('To')!.slice(-4)) {
    case '0001':
      return { status: 400, body: { code: 21610, message: 'a secret detail', status: 400 } }
    case '0002':
      return undefined
    case '0006':
      return { status: 503, body: {} }
    case '0007':
      return { status: 401, body: { code: 20003, message: 'Authenticate', status: 401 } }
    default:
      return { status: 201, body: { sid: 'SM1', num_segments: '2', status: 'queued', error_code: null } }
  }
}

async function open() {
  const clock = createTestClock()
  const vendor = await startSmsProviderServer(answerTo)
  const provider = twilio({
    url: vendor.url,
    accountSid: ACCOUNT,
    authToken: TOKEN,
    clock,
    answerMs: 15_000,
  })
  opened.push(() => provider.close(), vendor.close)
  /** Signed by Twilio's own package. */
  const signed = (fields: Record<string, string>) => ({
    url: URL_OF_CALLBACKS,
    headers: { 'x-twilio-signature': theirs.getExpectedTwilioSignature(TOKEN, URL_OF_CALLBACKS, fields) },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  })
  const stage: SmsFixture = {
    provider,
    clock,
    signedText: ({ id, from, to, text }) =>
      signed({ MessageSid: id, From: from, To: to, Body: text, NumSegments: '1', SmsStatus: 'received' }),
    signedReport: ({ id, from, to, status }) =>
      signed({
        MessageSid: id,
        From: from,
        To: to,
        MessageStatus: status === 'failed' ? 'undelivered' : (status ?? 'partially_delivered'),
        ...(status === 'failed' && { ErrorCode: '30003' }),
      }),
  }
  return { ...stage, vendor, signed }
}

const more = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`X${n}`, 'y']))

describe('Twilio', () => {
  smsContract(open)

  const text = {
    from: '+4578900100',
    text: 'Hello & goodbye',
    statusUrl: 'https://phone.example/reports?attempt=1',
  }

  test('gets requests as its API requires, with the URL for delivery reports', async () => {
    const { provider, vendor } = await open()
    const outcome = await provider.send({ ...text, to: '+4520112233' })
    expect(outcome).toEqual({ is: 'accepted', providerMessageId: 'SM1', parts: 2 })
    expect(vendor.asked).toHaveLength(1)
    const [{ path, headers, body }] = vendor.asked as [SmsRequest]
    expect(path).toBe(`/2010-04-01/Accounts/${ACCOUNT}/Messages.json`)
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`)
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      From: '+4578900100',
      To: '+4520112233',
      Body: 'Hello & goodbye',
      StatusCallback: text.statusUrl,
    })
  })

  test.each([
    ['0001', { is: 'refused', error: 'provider_rejected', failureCode: 'twilio_21610' }],
    ['0006', { is: 'unknown' }],
    ['0007', { is: 'refused', error: 'sending_unavailable', failureCode: 'sending_unavailable' }],
  ])('gets one request, whatever its response: %s', async (digits, outcome) => {
    const { provider, vendor } = await open()
    expect(await provider.send({ ...text, to: `+452011${digits}` })).toEqual(outcome)
    expect(vendor.asked).toHaveLength(1)
  })

  test('is refused at another URL than the signed one', async () => {
    const { provider, signed } = await open()
    const request = signed({
      MessageSid: 'SM1',
      From: '+4578900100',
      To: '+4520112233',
      MessageStatus: 'sent',
    })
    expect(provider.readCallback(request)).toBeDefined()
    expect(provider.readCallback({ ...request, url: `${request.url}2` })).toBeUndefined()
  })

  test('is refused with more fields than it ever sends', async () => {
    const { provider, signed } = await open()
    const text = { MessageSid: 'SM1', From: '+4578900100', To: '+4520112233', Body: 'x' }
    expect(provider.readCallback(signed({ ...text, ...more(100) }))).toBeDefined()
    expect(provider.readCallback(signed({ ...text, ...more(200) }))).toBeUndefined()
  })

  test('a repeated field is signed as in the package of Twilio itself', async () => {
    const { provider } = await open()
    const fields = { MessageSid: 'SM1', From: '+45', To: '+46', Body: 'x', Media: ['b', 'a', 'b'] }
    const signature = theirs.getExpectedTwilioSignature(TOKEN, URL_OF_CALLBACKS, fields)
    const body = Buffer.from('MessageSid=SM1&From=%2B45&To=%2B46&Body=x&Media=b&Media=a&Media=b')
    const request = { url: URL_OF_CALLBACKS, headers: { 'x-twilio-signature': signature }, body }
    expect(provider.readCallback(request)).toMatchObject({ kind: 'text' })
  })
})
