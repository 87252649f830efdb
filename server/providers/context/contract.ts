import { expect, onTestFinished, test, vi } from 'vitest'

import { type ContextAnswer, contextServer } from '../../../test/harness/peers/context-server.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { Context, CONTEXT_LIMITS, type LookUpOutcome, type ProviderAccount } from './port.ts'
import { createContextProviders } from './providers.ts'

export const CALLER = { phone: '+4520112233', country: 'DK', label: 'Fixture' }

/** A provider with its system at the other end. */
export interface ContextFixture {
  account(url: string): ProviderAccount
  /** The response of the real system about the caller. */
  found: ContextAnswer
  /** Its response if it has nobody with that number, though perhaps a similar one. */
  nobody: ContextAnswer
}

type Setup = Pick<ContextFixture, 'account'> & { answer: ContextAnswer; allowInsecure?: boolean }

export async function openContextFixture({ account, answer, allowInsecure = true }: Setup) {
  const server = await contextServer(answer)
  const clock = createTestClock()
  const vendors = { shopifyUrl: server.url, economicUrl: server.url }
  const sources = createContextProviders({ clock, allowInsecure, ...vendors })
  onTestFinished(() => sources.close())
  return { server, clock, lookUp: () => sources.lookUp(account(server.url), CALLER) }
}

const json = { 'content-type': 'application/json' }

const MISBEHAVIOUR: [string, ContextAnswer, object][] = [
  ['an error', (_, response) => void response.writeHead(500).end('{}'), { why: 'refused', status: 500 }],
  [
    'a refusal of the credential',
    (_, response) => void response.writeHead(401).end(),
    { why: 'refused', status: 401 },
  ],
  [
    'more than the limit',
    (_, response) => {
      response.writeHead(200, json)
      response.end(JSON.stringify({ note: 'x'.repeat(CONTEXT_LIMITS.answerBytes) }))
    },
    { why: 'too_large', status: null },
  ],
  [
    'half of an answer',
    (_, response) => void response.writeHead(200, json).end('{"a":'),
    { why: 'not_json' },
  ],
  [
    'a web page',
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>'),
    { why: 'not_json', status: 200 },
  ],
  ['something else', () => 'nothing like it', { why: 'malformed' }],
  ['a connection that breaks', (_, response) => void response.destroy(), { why: 'connection', status: null }],
]

/** The contract of every provider. */
export function contextContract({ account, found, nobody }: ContextFixture): void {
  test('a known caller is described by a valid context', async () => {
    const { lookUp } = await openContextFixture({ account, answer: found })
    const outcome = await lookUp()
    expect(outcome).toMatchObject({ is: 'found', context: { contact: { name: 'Mikkel Dahl' } } })
    const { context } = outcome as Extract<LookUpOutcome, { is: 'found' }>
    expect(Context.parse(context)).toEqual(context)
    expect(context.sections.length).toBeGreaterThan(0)
  })

  test('an unknown caller is nobody', async () => {
    const { lookUp } = await openContextFixture({ account, answer: nobody })
    expect(await lookUp()).toEqual({ is: 'nobody' })
  })

  test.each(MISBEHAVIOUR)('%s is a failure', async (_, answer, failure) => {
    const { lookUp } = await openContextFixture({ account, answer })
    expect(await lookUp()).toMatchObject({ is: 'failed', ...failure })
  })

  test.each([
    ['never responds', () => undefined],
    ['never ends its response', (_, response) => void response.writeHead(200, json).write('{"a":')],
  ] as [string, ContextAnswer][])('a provider that %s times out', async (_, answer) => {
    const { lookUp, clock, server } = await openContextFixture({ account, answer })
    let outcome: unknown
    const asking = lookUp().then((known) => (outcome = known))
    await vi.waitFor(() => expect(server.asked).not.toEqual([]), { timeout: 30_000 })
    clock.advance(CONTEXT_LIMITS.answerMs - 1)
    expect(outcome).toBeUndefined()
    clock.advance(1)
    await asking
    expect(outcome).toEqual({ is: 'failed', why: 'timeout', status: null })
  })

  test('an error status counts even if its body never ends', async () => {
    const { lookUp, clock } = await openContextFixture({
      account,
      answer: (_, response) => void response.writeHead(403, json).write('{"a":'),
    })
    let outcome: unknown
    const asking = lookUp().then((known) => (outcome = known))
    await vi.waitFor(
      () => {
        clock.advance(100)
        expect(outcome).toEqual({ is: 'failed', why: 'refused', status: 403 })
      },
      { timeout: 30_000, interval: 20 },
    )
    await asking
  })

  test('a redirect is not followed, not even to the same path', async () => {
    const elsewhere = await contextServer(found)
    const answer: ContextAnswer = (asked, response) =>
      void response.writeHead(302, { location: elsewhere.url + asked.path }).end()
    const { lookUp } = await openContextFixture({ account, answer })
    expect(await lookUp()).toEqual({ is: 'failed', why: 'refused', status: 302 })
    expect(elsewhere.asked).toEqual([])
  })

  test('without the development setting nothing is sent to a private address', async () => {
    const { lookUp, server } = await openContextFixture({ account, answer: found, allowInsecure: false })
    expect(await lookUp()).toMatchObject({ is: 'failed', why: 'insecure' })
    expect(server.asked).toEqual([])
  })
}
