import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { BlockedAddress } from './connection-failure.ts'
import { createSafeAgent, type Lookup } from './safe-agent.ts'

let server: Server
let port: number
let reached = 0

beforeAll(async () => {
  server = createServer((_, response) => {
    reached++
    response.end('secrets of this machine')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const LIMITS = { connectionsPerHost: 2, connectMs: 2_000 }

/** The outcome of a request to `host`, whose name resolves to `addresses`. */
async function fetchFrom(host: string, addresses: string[] = []): Promise<unknown> {
  const lookup: Lookup = (_host, _options, done) => {
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  const agent = createSafeAgent({ ...LIMITS, lookup })
  const before = reached
  try {
    await agent.request({ origin: `http://${host}:${port}`, path: '/', method: 'GET' })
    return 'answered'
  } catch (error) {
    return error
  } finally {
    expect(reached).toBe(before)
    await agent.destroy()
  }
}

describe('an address that is not public is not connected to', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fe80::1]',
    '[fc00::1]',
    '[2002:7f00:1::]',
  ])('as the literal %s', async (host) => {
    const url = new URL(`http://${host}:${port}/`)
    expect(await fetchFrom(url.hostname)).toBeInstanceOf(BlockedAddress)
  })

  test.each([
    ['a private address', ['127.0.0.1']],
    ['the metadata service of a cloud', ['169.254.169.254']],
    ['an IPv4-mapped IPv6 address', ['::ffff:127.0.0.1']],
    ['a public and a private address', ['1.1.1.1', '127.0.0.1']],
    ['nothing', []],
  ])('as a name that resolves to %s', async (_, addresses) => {
    expect(await fetchFrom('hooks.example', addresses)).toBeInstanceOf(BlockedAddress)
  })
})

test('for development, every address is allowed', async () => {
  const agent = createSafeAgent({ ...LIMITS, allowPrivate: true })
  const answer = await agent.request({ origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' })
  expect(await answer.body.text()).toBe('secrets of this machine')
  await agent.destroy()
})
