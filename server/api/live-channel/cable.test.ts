import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import {
  type CableSocket,
  DEADLINE,
  IDENTIFIER,
  messagesOf,
  openCable,
  openSocket,
} from '../../../test/harness/peers/cable-socket.ts'
import { NEVER_PINGED, realClients } from '../../../test/harness/peers/live-clients.ts'
import { type LiveMessage, publishToCompany } from '../../live.ts'
import { revokeApiKey } from '../../modules/api-keys/index.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { LIVE_CHANNEL_LIMITS } from './limits.ts'

let bellhop: Harness
let elsewhere: string
let company: TestCompany

beforeAll(async () => {
  bellhop = await harness()
  elsewhere = await bellhop.startAnotherApi()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
})

const UUID = '0191e9a0-0000-7000-8000-000000000001'

const tell = (message: LiveMessage, { companyId } = company) =>
  bellhop.db.tx((tx) => publishToCompany(tx, companyId, message))

/** Changes the employee's presence, as a coworker would see it. */
async function changePresence({ api, employeeId } = company) {
  const path = `/employees/${encodeId('emp', employeeId)}/do_not_disturb`
  expect((await api.put(path, { enabled: true })).status).toBe(200)
}

const presenceOf = ({ employeeId } = company) => ({
  type: 'presence_update',
  employee_id: encodeId('emp', employeeId),
})

/** Messages keep their order: once this one arrives, all earlier ones have. */
async function lastMessage(cable: CableSocket, to = company) {
  await tell({ type: 'call_update', id: UUID }, to)
  const mark = { type: 'call_update', id: encodeId('cal', UUID) }
  await expect.poll(() => messagesOf(cable), DEADLINE).toContainEqual(mark)
  return messagesOf(cable).slice(0, -1)
}

describe('a subscribed client', () => {
  test.each(realClients)(
    'receives, as %s, that an employee switched on do not disturb',
    async (_, connect) => {
      const client = connect(bellhop.url, company.key, NEVER_PINGED)
      await expect.poll(() => client.happened, DEADLINE).toEqual(['connected'])
      await changePresence()
      await expect.poll(() => client.heard, DEADLINE).toEqual([presenceOf()])
    },
  )

  test('receives it from another process than the one it is connected to', async () => {
    const cable = await openCable(elsewhere, company)
    await changePresence()
    await cable.message()
    expect(messagesOf(cable)).toEqual([presenceOf()])
  })

  test('receives that do not disturb has expired', async () => {
    const path = `/employees/${encodeId('emp', company.employeeId)}/do_not_disturb`
    const cable = await openCable(bellhop.url, company)
    expect((await company.api.put(path, { enabled: true })).status).toBe(200)
    await cable.message()
    await bellhop.db.sql`
      update employees set do_not_disturb_expires_at = now() where id = ${company.employeeId}`
    await bellhop.db.sql`
      select graphile_worker.add_job('employees.end_do_not_disturb', ${bellhop.db.sql.json({ employeeId: company.employeeId })}::json)`
    await bellhop.drainJobs()
    await cable.message()
    expect(messagesOf(cable)).toEqual([presenceOf(), presenceOf()])
  })

  test('receives that the end of do not disturb has moved, but not that it stays', async () => {
    const path = `/employees/${encodeId('emp', company.employeeId)}/do_not_disturb`
    const cable = await openCable(bellhop.url, company)
    for (const expires_at of [
      null,
      '2999-01-01T08:00:00Z',
      '2999-01-01T09:00:00Z',
      '2999-01-01T09:00:00Z',
      null,
    ])
      expect((await company.api.put(path, { enabled: true, expires_at })).status).toBe(200)
    expect(await lastMessage(cable)).toEqual(Array(4).fill(presenceOf()))
  })

  test('gets every kind of message with ids only, exactly as declared', async () => {
    const cable = await openCable(bellhop.url, company)
    await tell({ type: 'sms_update', id: UUID, phone_number: '+4520112233' })
    await tell({ type: 'unseen_update' })
    await tell({ type: 'presence_update', employee_id: UUID })
    expect(await lastMessage(cable)).toEqual([
      { type: 'sms_update', id: encodeId('msg', UUID), phone_number: '+4520112233' },
      { type: 'unseen_update' },
      { type: 'presence_update', employee_id: encodeId('emp', UUID) },
    ])
  })

  test('receives nothing after a rollback', async () => {
    const cable = await openCable(bellhop.url, company)
    const change = bellhop.db.tx(async (tx) => {
      await publishToCompany(tx, company.companyId, { type: 'unseen_update' })
      throw new Error('changed my mind')
    })
    await expect(change).rejects.toThrow('changed my mind')
    expect(await lastMessage(cable)).toEqual([])
  })

  test('receives nothing of another company, whatever it subscribes to', async () => {
    const other = await bellhop.newCompany()
    const cable = await openCable(bellhop.url, company)
    for (const parameters of [{ company_id: encodeId('com', other.companyId) }, { company: other.companyId }])
      await cable.subscribe(JSON.stringify({ channel: 'CallsChannel', ...parameters }))
    const theirs = await openCable(bellhop.url, other)
    await changePresence(other)
    await lastMessage(theirs, other)
    expect(await lastMessage(cable)).toEqual(
      // Only its own marker, once for each of the other two subscriptions.
      Array.from({ length: 2 }, () => ({ type: 'call_update', id: encodeId('cal', UUID) })),
    )
  })

  test('gets a message once for each of its subscriptions, with the identifier that it gave', async () => {
    const cable = await openCable(bellhop.url, company)
    const second = '{ "channel": "CallsChannel", "tab": 2 }'
    await cable.subscribe(second)
    await tell({ type: 'unseen_update' })
    for (const identifier of [IDENTIFIER, second])
      expect(await cable.message(identifier)).toEqual({
        identifier,
        message: { type: 'unseen_update' },
      })
  })

  test('receives nothing after it unsubscribes, and can subscribe again', async () => {
    const cable = await openCable(bellhop.url, company)
    const other = '{"channel":"CallsChannel","other":true}'
    await cable.subscribe(other)
    cable.send({ command: 'unsubscribe', identifier: IDENTIFIER })
    cable.send({ command: 'unsubscribe', identifier: '{"channel":"never subscribed"}' })
    // Commands are handled in order: this confirmation follows the unsubscription.
    await cable.subscribe('{"channel":"CallsChannel","last":true}')
    await lastMessage(cable)
    const heardOf = new Set(cable.frames.filter((frame) => frame.message).map((frame) => frame.identifier))
    expect(heardOf).not.toContain(IDENTIFIER)
    cable.frames.length = 0
    await cable.subscribe()
    await tell({ type: 'unseen_update' })
    await cable.message()
  })

  test('is pinged every three seconds with the time', async () => {
    const cable = await openCable(bellhop.url, company)
    for (let count = 1; count <= 3; count++) {
      bellhop.clock.advance(3_000)
      const now = Math.floor(bellhop.clock.now().getTime() / 1000)
      await expect
        .poll(() => cable.frames.filter(({ type }) => type === 'ping'), DEADLINE)
        .toHaveLength(count)
      const [age] = cable.frames.filter(({ type }) => type === 'ping').slice(-1)
      expect(now - age.message).toBeLessThanOrEqual(3)
    }
  })
})

const identifierOf = (n: number) => JSON.stringify({ channel: 'CallsChannel', n })

describe('a subscription', () => {
  test.each(realClients)('to an unknown channel is rejected, as %s sees it', async (_, connect) => {
    const client = connect(bellhop.url, company.key, { ...NEVER_PINGED, channel: 'SecretsChannel' })
    await expect.poll(() => client.happened, DEADLINE).toEqual(['rejected'])
  })

  test.each(['CallsChannel', '{}', '{"channel":7}', 'null', '[]', '', '{"channel":"callschannel"}'])(
    'with the identifier %s is rejected, and the connection stays open',
    async (identifier) => {
      const cable = await openSocket(bellhop.url, company)
      cable.send({ command: 'subscribe', identifier })
      expect(await cable.frame({ type: 'reject_subscription' })).toEqual({
        identifier,
        type: 'reject_subscription',
      })
      await cable.subscribe()
    },
  )

  test('that is requested twice is confirmed once and delivers once', async () => {
    const cable = await openCable(bellhop.url, company)
    cable.send({ command: 'subscribe', identifier: IDENTIFIER })
    await cable.subscribe('{"channel":"CallsChannel","later":true}')
    const confirmed = cable.frames.filter(({ type }) => type === 'confirm_subscription')
    expect(confirmed.map(({ identifier }) => identifier)).toEqual([
      IDENTIFIER,
      '{"channel":"CallsChannel","later":true}',
    ])
  })

  test(`is rejected when the connection has ${LIVE_CHANNEL_LIMITS.subscriptionsPerSocket} already`, async () => {
    const cable = await openCable(bellhop.url, company)
    for (let n = 2; n <= LIVE_CHANNEL_LIMITS.subscriptionsPerSocket; n++)
      await cable.subscribe(identifierOf(n))
    cable.send({ command: 'subscribe', identifier: identifierOf(0) })
    await cable.frame({ type: 'reject_subscription', identifier: identifierOf(0) })
    cable.send({ command: 'unsubscribe', identifier: identifierOf(2) })
    await cable.subscribe(identifierOf(0))
  })

  test('unknown commands are ignored', async () => {
    const cable = await openSocket(bellhop.url, company)
    cable.send({ command: 'message', identifier: IDENTIFIER, data: '{"action":"delete_everything"}' })
    cable.send({ command: 'whisper', identifier: IDENTIFIER, data: {} })
    await cable.subscribe()
    await tell({ type: 'unseen_update' })
    await cable.message()
  })
})

describe('a revoked key', () => {
  const UNAUTHORIZED = { type: 'disconnect', reason: 'unauthorized', reconnect: false }

  test.each(realClients)('ends the connection of %s on every process, for good', async (_, connect) => {
    const { id, key } = await bellhop.keyFor(company.employeeId)
    const clients = [bellhop.url, elsewhere].map((url) => connect(url, key, NEVER_PINGED))
    const kept = connect(elsewhere, company.key, NEVER_PINGED)
    for (const { happened } of [...clients, kept])
      await expect.poll(() => happened, DEADLINE).toEqual(['connected'])
    await bellhop.db.tx((tx) => revokeApiKey(tx, id))
    for (const { happened } of clients)
      await expect.poll(() => happened, DEADLINE).toEqual(['connected', 'ended'])
    await changePresence()
    await expect.poll(() => kept.heard, DEADLINE).toEqual([presenceOf()])
    expect(kept.happened).toEqual(['connected'])
    for (const { heard } of clients) expect(heard).toEqual([])
  })

  test('gets the reason, and so does one whose employee was deleted', async () => {
    const email = `bo-${company.companyId}@example.com`
    const { body } = await company.api.post('/employees', { name: 'Bo', email })
    const bo = await openCable(bellhop.url, await bellhop.keyFor(decodeId('emp', body.id)!))
    const revoked = await bellhop.keyFor(company.employeeId)
    const former = await openCable(bellhop.url, revoked)
    expect((await company.api.delete(`/employees/${body.id}`)).status).toBe(204)
    await bellhop.db.tx((tx) => revokeApiKey(tx, revoked.id))
    for (const cable of [bo, former]) {
      expect(await cable.closed).toEqual({ code: 1008, reason: 'unauthorized' })
      expect(cable.frames.at(-1)).toEqual(UNAUTHORIZED)
    }
    const again = await openSocket(bellhop.url, revoked)
    await again.closed
    expect(again.frames).toEqual([UNAUTHORIZED])
  })
})

const stopListening = () => bellhop.db.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like 'bellhop % secret=%'`

async function hear(cable: CableSocket): Promise<true> {
  await cable.subscribe()
  await tell({ type: 'unseen_update' })
  await cable.message()
  return true
}

/** Each listener of a process reconnects on its own and makes clients reconnect. */
async function connectUntilHeard(url: string): Promise<void> {
  for (;;) {
    const cable = await openSocket(url, company)
    const askedAgain = cable.closed.then(() => false)
    if (await Promise.race([hear(cable).catch(() => false), askedAgain])) return
  }
}

describe('after the connection to PostgreSQL was lost', () => {
  test('clients are asked to reconnect, because they may have missed messages, and then receive as before', async () => {
    for (const url of [bellhop.url, elsewhere]) {
      const cable = await openCable(url, company)
      await stopListening()
      expect(await cable.closed).toEqual({ code: 1012, reason: 'server_restart' })
      expect(cable.frames.at(-1)).toEqual({ type: 'disconnect', reason: 'server_restart', reconnect: true })
      await connectUntilHeard(url)
    }
  })

  test('a key that was revoked meanwhile is not admitted again', async () => {
    const { id, key } = await bellhop.keyFor(company.employeeId)
    const cable = await openCable(bellhop.url, { key })
    await bellhop.db.sql`alter table api_keys disable trigger api_key_gone`
    await bellhop.db.tx((tx) => revokeApiKey(tx, id))
    await bellhop.db.sql`alter table api_keys enable trigger api_key_gone`
    await stopListening()
    expect(await cable.closed).toEqual({ code: 1012, reason: 'server_restart' })
    await expect
      .poll(async () => {
        const back = await openSocket(bellhop.url, { key })
        return (await back.closed).reason
      }, DEADLINE)
      .toBe('unauthorized')
  })
})
