import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'

import { contextServer } from '../../../test/harness/peers/context-server.ts'
import { selfSigned } from '../../../test/harness/sip/certificate.ts'
import { createTestClock } from '../../../test/harness/test-clock.ts'
import { newSigningSecret } from '../../platform/crypto/standard-webhooks.ts'
import { CALLER, contextContract, type ContextFixture, openContextFixture } from './contract.ts'
import { createContextProviders } from './providers.ts'

const signingSecrets = [newSigningSecret(), newSigningSecret()]
const stage: ContextFixture = {
  account: (url) => ({ provider: 'custom', url: `${url}/callers?tenant=1`, signingSecrets }),
  found: () => ({
    contact: { name: 'Mikkel Dahl' },
    sections: [{ type: 'fields', fields: [{ label: 'Plan', value: 'Gold', format: 'badge' }] }],
  }),
  nobody: () => ({}),
}

describe('custom', () => {
  contextContract(stage)

  test.each([204, 404])('the status %i means that the caller is unknown', async (status) => {
    const { lookUp } = await openContextFixture({
      ...stage,
      answer: (_, response) => void response.writeHead(status).end(),
    })
    expect(await lookUp()).toEqual({ is: 'nobody' })
  })

  test('so does the response null', async () => {
    const { lookUp } = await openContextFixture({ ...stage, answer: () => null })
    expect(await lookUp()).toEqual({ is: 'nobody' })
  })

  test.each([[true], [7], ['Mikkel'], [[]], [[{ contact: { name: 'Mikkel' } }]]])(
    'a response that is not an object is a failure: %j',
    async (json) => {
      const { lookUp } = await openContextFixture({ ...stage, answer: () => json })
      expect(await lookUp()).toEqual({ is: 'failed', why: 'malformed', status: null })
    },
  )

  test('the request names the caller and is signed with every secret', async () => {
    const { lookUp, server } = await openContextFixture({ ...stage, answer: stage.found })
    await lookUp()
    const [{ method, path, headers, body }] = server.asked as [(typeof server.asked)[0]]
    expect({ method, path, body }).toEqual({
      method: 'POST',
      path: '/callers?tenant=1',
      body: '{"phone":"+4520112233"}',
    })
    for (const secret of signingSecrets)
      expect(new Webhook(secret).verify(body, headers as never)).toEqual({ phone: CALLER.phone })
    expect(() => new Webhook(newSigningSecret()).verify(body, headers as never)).toThrow('No matching')
  })

  test('a certificate without a trusted issuer is a failure, and nothing is sent', async () => {
    const server = await contextServer(stage.found, await selfSigned())
    const sources = createContextProviders({ clock: createTestClock(), allowInsecure: true })
    onTestFinished(() => sources.close())
    expect(await sources.lookUp(stage.account(server.url), CALLER)).toMatchObject({ why: 'tls' })
    expect(server.asked).toEqual([])
  })

  test.each(['https://127.0.0.1:1/', 'https://[::1]:1/', 'https://localhost:1/', 'https://169.254.169.254/'])(
    'in production %s is not connected to',
    async (url) => {
      const sources = createContextProviders({ clock: createTestClock(), allowInsecure: false })
      expect(await sources.lookUp(stage.account(url), CALLER)).toMatchObject({ why: 'private_address' })
    },
  )
})
