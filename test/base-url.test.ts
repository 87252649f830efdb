import { request } from 'node:http'

import { describe, expect, test } from 'vitest'

import { harness } from './harness/index.ts'

/** The metric that `bellhop doctor` reads. */
const METRIC = /^bellhop_base_url_needed (\d)$/m

/** Sends a request as a proxy passes it on, with the host of the client. */
function get(url: string, host: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${url}/healthz`, { headers: { host, ...headers } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode!))
    })
      .on('error', reject)
      .end()
  })
}

const warningsOf = (logged: string[]) =>
  logged.map((line) => JSON.parse(line)).filter(({ msg }) => /BELLHOP_BASE_URL/.test(msg))

const metricOf = async (url: string) => METRIC.exec(await (await fetch(`${url}/metrics`)).text())?.[1]

describe('without BELLHOP_BASE_URL', () => {
  test('a request for a public host is logged once, with the setting that is needed', async () => {
    const { url, logged } = await harness()
    expect(await metricOf(url)).toBe('0')
    expect(await get(url, 'phone.example.com')).toBe(200)
    expect(await get(url, 'other.example.com')).toBe(200)
    expect(warningsOf(logged)).toEqual([
      expect.objectContaining({ level: 'warn', url: 'http://phone.example.com' }),
    ])
    expect(await metricOf(url)).toBe('1')
  })

  test('the log names https if a trusted proxy ended it, also on an IP address', async () => {
    const { url, logged } = await harness()
    await get(url, '192.0.2.7', { 'x-forwarded-proto': 'https' })
    expect(warningsOf(logged)).toEqual([expect.objectContaining({ url: 'https://192.0.2.7' })])
  })

  test('requests on this machine, for an IP address or inside a network are not logged', async () => {
    const { url, logged } = await harness()
    const hosts = [
      'localhost:3000',
      '127.0.0.1',
      '[::1]:3000',
      '10.0.0.7:3000',
      'bellhop-api:3000',
      'pbx.local',
      '%',
    ]
    for (const host of hosts) expect(await get(url, host)).toBe(200)
    expect(warningsOf(logged)).toEqual([])
    expect(await metricOf(url)).toBe('0')
  })
})

test('with BELLHOP_BASE_URL no host is logged', async () => {
  const { url, logged } = await harness({ BELLHOP_BASE_URL: 'https://phone.example.com' })
  await get(url, 'phone.example.com')
  await get(url, 'other.example.com')
  expect(warningsOf(logged)).toEqual([])
  expect(await metricOf(url)).toBe('0')
})
