import { once } from 'node:events'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'

import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

import { startOutsidePostgres } from '../../../test/harness/processes/outside-postgres.ts'
import { enqueue, handleJob, jobKind } from '../jobs/job.ts'
import { startWorker } from '../jobs/worker.ts'
import { createLog } from '../log.ts'
import { connect, type Sql } from './database.ts'
import { migrate } from './migrate.ts'
import { openPubSub, publish } from './pubsub.ts'

const PATIENCE = { timeout: 60_000 }
const log = createLog({ level: 'error', destination: new Writable({ write: (_, __, done) => done() }) })

const first = await startOutsidePostgres()
const url = await first.newDatabase()
await migrate({ url })
const second = await first.newStandby()

/** The address of the database at these hosts, in this order. */
const at = (hosts: string[], parameters = '') => ({
  url: url.replace(first.at, hosts.join(',')) + parameters,
})

function open(address: { url: string }, max = 2) {
  const sql = connect(address, { max })
  onTestFinished(() => sql.end())
  return sql
}

async function portOf(sql: Sql): Promise<string> {
  const [row] = await sql<{ port: string }[]>`select current_setting('port') as port`
  return `127.0.0.1:${row!.port}`
}

/** Accepts connections, and never says anything. */
async function startSilentServer(): Promise<string> {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as { port: number }).port}`
}

/** Passes everything on, until it goes silent as a machine without power does. */
async function startRelay(to: string) {
  const [host, port] = to.split(':')
  let isSilent = false
  let passed = 0
  const server = createServer((socket) => {
    if (isSilent) return
    passed++
    const onward = connectSocket(Number(port), host)
    const pass = (from: Socket, into: Socket) =>
      from.on('data', (bytes) => isSilent || into.write(bytes)).on('error', () => {})
    pass(socket, onward)
    pass(onward, socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    at: `127.0.0.1:${(server.address() as { port: number }).port}`,
    goSilent: () => (isSilent = true),
    /** Connections. */
    passed: () => passed,
  }
}

test('of several hosts the primary is used, whatever their order', async () => {
  expect(await portOf(open(at([first.at, second.at])))).toBe(first.at)
  expect(await portOf(open(at([second.at, first.at])))).toBe(first.at)
  expect(await portOf(open(at([second.at, first.at], '?target_session_attrs=primary')))).toBe(first.at)
  const [hosts, ports] = [['127.0.0.1', '127.0.0.1'], [second.at, first.at].map((one) => one.split(':')[1])]
  const parameters = `?target_session_attrs=read-write&host=${hosts.join(',')}&port=${ports.join(',')}`
  expect(await portOf(open(at([''], parameters)))).toBe(first.at)
})

test('the first host is used if any will do', async () => {
  expect(await portOf(open(at([second.at, first.at], '?target_session_attrs=any')))).toBe(second.at)
})

test('hosts that refuse, or accept and say nothing, hold up nobody', async () => {
  const silent = await startSilentServer()
  const hosts = ['127.0.0.1:1', silent, silent, first.at]
  expect(await portOf(open(at(hosts, '?connect_timeout=60')))).toBe(first.at)
})

test('if no host is the right one, the error names each with its reason', async () => {
  await expect(portOf(open(at(['127.0.0.1:1', second.at])))).rejects.toMatchObject({
    code: 'CONNECTION_READ_ONLY',
    message: `127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; ${second.at}: the server accepts no writes`,
  })
})

test('wrong credentials are refused at once, as no host would accept them', async () => {
  const wrong = at([first.at, await startSilentServer()]).url.replace(/:[^:@]+@/, ':wrong@')
  await expect(portOf(open({ url: wrong }))).rejects.toMatchObject({ code: '28P01' })
})

test('after a failover every kind of connection leads to the new primary, and the old one is left', async () => {
  const address = at([first.at, second.at])
  const sql = open(address)
  const pubsub = openPubSub(address, log)
  onTestFinished(() => pubsub.close())
  const [heard, gaps]: [string[], number[]] = [[], []]
  await pubsub.subscribe('test_failover', {
    onMessage: (id) => heard.push(id),
    onGap: () => gaps.push(gaps.length),
  })
  const kind = jobKind('test.failover', z.object({ serial: z.number() }))
  const done: number[] = []
  const handlers = [handleJob(kind, async ({ serial }) => void done.push(serial))]
  const worker = await startWorker({ address, handlers, log })
  onTestFinished(() => worker.stop())
  const work = (serial: number) =>
    sql.begin(async (tx) => {
      await enqueue(tx, kind, { serial })
      await publish(tx, 'test_failover', String(serial))
    })
  await work(1)
  await vi.waitFor(() => expect({ heard, done }).toEqual({ heard: ['1'], done: [1] }), PATIENCE)

  await first.stop('immediate')
  await expect(work(2)).rejects.toThrow()
  await second.promote()
  await vi.waitFor(() => work(3), PATIENCE)
  expect(await portOf(sql)).toBe(second.at)
  await vi.waitFor(() => expect(done).toContain(3), PATIENCE)
  await vi.waitFor(() => expect(gaps).toHaveLength(2), PATIENCE)
  await work(4)
  await vi.waitFor(
    () => expect({ last: heard.at(-1), done }).toMatchObject({ last: '4', done: [1, 3, 4] }),
    PATIENCE,
  )
})

test('a server that stops accepting writes under open connections is left for the one that does', async () => {
  // What was the primary is back, with a history of its own; it stands for the one that is promoted.
  await first.start()
  const address = at([second.at, first.at])
  const sql = open(address)
  await sql.begin(async (tx) => void (await tx`create table if not exists written ()`))
  expect(await portOf(sql)).toBe(second.at)

  const standby = url.replace(first.at, second.at)
  await first.asSuperuser(standby, 'alter system set default_transaction_read_only = on')
  await first.asSuperuser(standby, 'select pg_reload_conf()')
  const write = () => sql.begin(async (tx) => void (await tx`create table written_then ()`))
  await vi.waitFor(() => expect(write()).rejects.toMatchObject({ code: '25006' }), PATIENCE)
  await vi.waitFor(write, PATIENCE)
  expect(await portOf(sql)).toBe(first.at)
})

test('statements that wait for a machine that went silent fail once another host is found', async () => {
  const relay = await startRelay(first.at)
  const address = at([relay.at, first.at])
  const sql = open(address, 1)
  const pubsub = openPubSub(address, log)
  onTestFinished(() => pubsub.close())
  await pubsub.subscribe('test_silence', { onMessage() {}, onGap() {} })
  await sql`select`
  relay.goSilent()
  await expect(sql`select`).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(relay.passed()).toBe(2)
  await sql`select`
  expect(relay.passed()).toBe(2)
})
