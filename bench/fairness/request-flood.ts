import { fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { Pool } from 'undici'

import type { Fixture } from '../fixture.ts'
import type { Finding } from '../measure.ts'
import { besideFlood, type Neighbour } from './beside-flood.ts'
import type { RequestFlood } from './request-flood.child.ts'

const TIMING = { warmUpMs: 4_000, turnMs: 1_000, settleMs: 300, burstMs: 1_000, rounds: 12 }
const PAUSE_MS = 15

interface RequestingNeighbour {
  url: string
  path: string
  apiKey: string
}

/** Measures the requests of the neighbour, one at a time with short pauses. */
export async function besideRequests(
  fixture: Fixture,
  what: string,
  neighbour: RequestingNeighbour,
  options: RequestFlood,
): Promise<Finding[]> {
  const pool = new Pool(neighbour.url, { connections: 1, pipelining: 1 })
  try {
    return await besideFlood(fixture, {
      what,
      neighbour: requesting(pool, neighbour),
      flood: fork(join(import.meta.dirname, 'request-flood.child.js'), [JSON.stringify(options)]),
      timing: TIMING,
    })
  } finally {
    await pool.destroy()
  }
}

const requesting =
  (pool: Pool, { path, apiKey }: RequestingNeighbour): Neighbour =>
  async (ms) => {
    const tookMs: number[] = []
    const start = performance.now()
    while (performance.now() - start < ms) {
      const before = performance.now()
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path,
        headers: { 'x-api-key': apiKey },
      })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`)
      tookMs.push(performance.now() - before)
      await pause(PAUSE_MS)
    }
    return { requests: tookMs }
  }
