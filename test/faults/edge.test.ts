import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'

import type { DedicatedSql } from '../../server/platform/db/database.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { startRegisteredPhone } from '../harness/calls/edge.ts'
import {
  bellhop,
  connectToEmbedded,
  newFolder,
  program,
  type Service,
  startService,
  until,
} from '../harness/processes/bellhop-process.ts'

const cwd = await newFolder()
const dataDir = `${cwd}/data`
const installation = { cwd, env: { BELLHOP_DATA_DIR: dataDir } }
const edgeCommand = [process.execPath, program, 'edge']

let service: Service
let sql: DedicatedSql
beforeAll(async () => {
  service = await startService(installation)
  sql = connectToEmbedded(dataDir)
})
afterAll(() => sql.end())

const sipPort = (process: Service) => Number(/sip:127\.0\.0\.1:(\d+)/.exec(process.stdout())![1])
const connectTo = (port: number) => connect(port, '127.0.0.1').on('error', () => {})
const registered = async (username: string) =>
  (await sql`select from device_registrations where username = ${username}`).length

async function newDevice() {
  const [employee] = await sql`select id from employees limit 1`
  const args = ['device', 'create', '--employee', encodeId('emp', employee!.id as string), '--json']
  return JSON.parse((await bellhop(args, installation)).stdout) as {
    id: string
    username: string
    password: string
    domain: string
  }
}

test('a killed edge is reaped by another process, and its phones are deregistered', async () => {
  const device = await newDevice()
  expect(device.domain).toBe(`127.0.0.1:${sipPort(service)}`)
  const edge = await startService({ ...installation, command: edgeCommand })
  const phone = await startRegisteredPhone({ ...device, port: sipPort(edge) })
  await phone.registered()
  const [before] = await sql<{ id: string }[]>`
    select edge_id as id from device_registrations where username = ${device.username}`
  edge.signal('SIGKILL')
  await edge.ended
  await until(async () => (await registered(device.username)) === 0)
  expect(await sql`select from edges where id = ${before!.id}`).toHaveLength(0)
  expect(await sql`select from edges`).toHaveLength(1)
})

test('an edge that starts on the folder of a killed one reaps it at once', async () => {
  const killed = await startService({ ...installation, command: edgeCommand })
  const [before] = await sql<{ id: string }[]>`select id from edges order by started_at desc limit 1`
  killed.signal('SIGKILL')
  await killed.ended
  const next = await startService({ ...installation, command: edgeCommand })
  expect(await sql`select from edges where id = ${before!.id}`).toHaveLength(0)
  next.signal('SIGTERM')
  expect(await next.ended).toBe(0)
  await until(async () => (await sql`select from edges`).length === 1)
})

test('a removed device is refused by the running edge', async () => {
  const device = await newDevice()
  const phone = await startRegisteredPhone({ ...device, port: sipPort(service) })
  await phone.registered()
  const removed = await bellhop(['device', 'remove', '--device', device.id, '--json'], installation)
  expect(JSON.parse(removed.stdout)).toEqual({ id: device.id, removed: true })
  expect(await registered(device.username)).toBe(0)
  phone.registerAgain()
  expect(await phone.refused()).toMatchObject({ registration: { status: 401 } })
})

test('when clients come all at once, each gets a connection, however long the service takes to accept it', async () => {
  service.signal('SIGSTOP')
  const ports = [Number(new URL(service.url).port), sipPort(service)]
  const sockets = ports.flatMap((port) => Array.from({ length: 1_000 }, () => connectTo(port)))
  try {
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  } finally {
    service.signal('SIGCONT')
    for (const socket of sockets) socket.destroy()
  }
})

test('if another program uses the SIP port, the error names the port and the setting', async () => {
  const holder = createSocket('udp4').bind(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address()
  const env = { ...installation.env, SIP_PORT: String(port), EDGE_HTTP_PORT: '0' }
  const { code, stderr } = await bellhop(['edge'], { cwd, env })
  holder.close()
  expect(code).toBe(1)
  expect(stderr).toContain(
    `bellhop: Port ${port} of 127.0.0.1 is already in use, perhaps by another SIP server: set SIP_PORT`,
  )
})

test.each([
  ['127.0.0.1,2001:db8::1', /^bellhop: SIP_HOST must be an address of this machine, [^\n]+\.\n$/],
  ['127.0.0.1,127.0.0.2', /^bellhop: SIP_HOST must be [^\n]+ or an IPv4 and an IPv6 address [^\n]+\.\n$/],
])('SIP_HOST=%s is an error in one sentence', async (SIP_HOST, sentence) => {
  const env = { ...installation.env, SIP_HOST, SIP_PORT: '0', EDGE_HTTP_PORT: '0', LOG_LEVEL: 'error' }
  const { code, stderr } = await bellhop(['edge'], { cwd, env })
  expect(code).toBe(1)
  expect(stderr).toMatch(sentence)
})

/** A browser's first steps: opens a WebSocket with the SIP subprotocol, and sends a request. */
async function askByWebSocket(url: string): Promise<string> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/sip`, 'sip')
  await once(socket, 'open')
  const lines = [
    'OPTIONS sip:127.0.0.1 SIP/2.0',
    'Via: SIP/2.0/WS browser.invalid;branch=z9hG4bKoptions',
    'Max-Forwards: 70',
    'From: <sip:browser@browser.invalid>;tag=a',
    'To: <sip:127.0.0.1>',
    'Call-ID: asked-by-websocket',
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
  ]
  socket.send([...lines, '', ''].join('\r\n'))
  const [data] = (await once(socket, 'message')) as [Buffer]
  socket.close()
  return data.toString().split('\r\n')[0]!
}

test('browsers reach SIP at /sip, beside the live channel or at a separate edge', async () => {
  expect(await askByWebSocket(service.url)).toBe('SIP/2.0 200 OK')
  const edge = await startService({ ...installation, command: edgeCommand })
  expect(await askByWebSocket(edge.url)).toBe('SIP/2.0 200 OK')
  expect(await (await fetch(`${edge.url}/healthz`)).json()).toEqual({ status: 'ok' })
  expect(await (await fetch(`${edge.url}/readyz`)).json()).toEqual({ status: 'ready' })
  edge.signal('SIGTERM')
  expect(await edge.ended).toBe(0)
})
