import { Pool } from 'undici'

import type { Contender } from './measure.ts'

const LIMITS = { connections: 32 }

/** GETs the paths in turn over keep-alive connections, one request at a time on each; counts answers a second. */
export function load(url: string, paths: string[], headers: Record<string, string> = {}): Contender {
  const pool = new Pool(url, { connections: LIMITS.connections, pipelining: 1 })
  let sent = 0
  return async (ms) => {
    const start = performance.now()
    let answered = 0
    const read = async () => {
      while (performance.now() - start < ms) {
        const path = paths[sent++ % paths.length]!
        const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
        await body.dump()
        if (statusCode !== 200) throw new Error(`${url}${path} answered ${statusCode}`)
        answered++
      }
    }
    await Promise.all(Array.from({ length: LIMITS.connections }, read))
    return (answered / (performance.now() - start)) * 1000
  }
}
