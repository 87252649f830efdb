import { beforeAll, expect, test } from 'vitest'

import { systemClock } from '../../server/platform/clock.ts'
import type { DedicatedSql } from '../../server/platform/db/database.ts'
import { oauthApplication, PATIENTLY } from '../harness/peers/oauth.ts'
import { connectToEmbedded, newFolder, program, startService } from '../harness/processes/bellhop-process.ts'
import { untilWaiting } from '../harness/routes/insert-barrier.ts'

/** Two processes, one database, and time that passes: concurrent requests are distinguished from reuse. */

const ROUNDS = 5
const AT_ONCE = 8
const PATIENCE_MS = 120_000

let processes: string[]
let app: ReturnType<typeof oauthApplication>
let person: { companyId: string; employeeId: string }
let clientId: string
let sql: DedicatedSql

beforeAll(async () => {
  const cwd = await newFolder()
  const env = { BELLHOP_DATA_DIR: cwd }
  const one = await startService({ cwd, env })
  const two = await startService({ cwd, env, command: [process.execPath, program, 'api'] })
  processes = [one.url, two.url]
  sql = connectToEmbedded(cwd)
  const [row] = await sql`select company_id, id from employees order by id limit 1`
  person = { companyId: row!['company_id'], employeeId: row!['id'] }
  app = oauthApplication({ url: one.url, db: { sql }, clock: systemClock })
  clientId = await app.newClient()
  return () => sql.end()
}, PATIENCE_MS)

/** Concurrently, to both processes in turn: each is received before the first one gets at the grant. */
async function together<T>(send: (at: string) => Promise<T>): Promise<T[]> {
  const { sent } = await sql.begin(async (tx) => {
    await tx`select from oauth_grants for update`
    const sent = Array.from({ length: AT_ONCE }, (_, i) => send(processes[i % processes.length]!))
    await untilWaiting(tx, AT_ONCE)
    return { sent }
  })
  return Promise.all(sent)
}

test(
  'a code redeemed eight times concurrently gives tokens once, and these stay valid',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const code = await app.newCode(clientId, person)
      const answers = await together((at) => app.redeem(clientId, code, {}, at))
      const given = answers.filter(({ status }) => status === 200)
      expect(given).toHaveLength(1)
      for (const answer of answers) expect([200, 400]).toContain(answer.status)
      for (const at of processes) expect(await app.statusWith(given[0]!.body.access_token, at)).toBe(200)
    }
  },
  PATIENCE_MS,
)

test(
  'a refresh token sent eight times concurrently has one successor, which stays valid',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { refreshToken } = await app.newTokens(person, clientId)
      const answers = await together((at) => app.refresh(clientId, refreshToken, {}, at))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: AT_ONCE }, () => 200))
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
      const next = await app.refresh(clientId, answers[0]!.body.refresh_token)
      expect(next.status).toBe(200)
    }
  },
  PATIENCE_MS,
)

test(
  'a code or refresh token that is used again after its response is refused, and revokes its tokens on every process',
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const code = await app.newCode(clientId, person)
      const first = (await app.redeem(clientId, code)).body
      expect((await app.redeem(clientId, code, {}, processes[1])).body.error).toBe('invalid_grant')
      await expectDead(first.access_token)

      const { refreshToken } = await app.newTokens(person, clientId)
      const second = (await app.refresh(clientId, refreshToken)).body
      expect((await app.refresh(clientId, refreshToken, {}, processes[1])).body.error).toBe('invalid_grant')
      expect((await app.refresh(clientId, second.refresh_token)).body.error).toBe('invalid_grant')
      await expectDead(second.access_token)
    }
  },
  PATIENCE_MS,
)

async function expectDead(accessToken: string) {
  for (const at of processes) {
    await expect.poll(() => app.statusWith(accessToken, at), PATIENTLY).toBe(401)
  }
}
