import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

import { afterFile } from '../../test/harness/after-file.ts'
import {
  bellhop,
  connectToEmbedded,
  newFolder,
  type Service,
  startService,
  until,
} from '../../test/harness/processes/bellhop-process.ts'
import { type CommandHost, startCommandHost } from '../../test/harness/processes/command-host.ts'
import { ANNA, follow, loopbackTrunk, sdp, startAgent, type TestAgent } from '../../test/harness/sip/agent.ts'

const cwd = await newFolder()
const CARRIER = { username: 'carrier', password: 'password-of-the-carrier' }
let service: Service
let commands: CommandHost
let carrier: TestAgent
let number: string
let env: Record<string, string>

beforeAll(async () => {
  carrier = await startAgent({ passwords: { acme: 'correct' } })
  afterFile(() => carrier.agent.close())
  const trunk = (name: string, password: string) => ({
    name,
    hosts: [`127.0.0.1:${carrier.ports.udp}`],
    addresses: [],
    credentials: { username: 'acme', password },
    registration: { user: 'acme', domain: '127.0.0.1', seconds: 600 },
  })
  const SIP_TRUNKS = JSON.stringify([
    { ...trunk('good', 'correct'), inbound: CARRIER },
    { ...trunk('refused', 'guess'), inbound: { ...CARRIER, username: 'other' } },
    { name: 'quiet', hosts: ['192.0.2.1'], probed: false },
  ])
  env = { SIP_TRUNKS }
  service = await startService({ cwd, env })
  commands = startCommandHost(cwd)
  const sql = connectToEmbedded(join(cwd, 'data'))
  const [row] = await sql<{ number: string }[]>`select number from business_numbers limit 1`
  await sql.end()
  number = row!.number
  const port = Number(/sip:127\.0\.0\.1:(\d+)/.exec(service.stdout())![1])
  carrier.agent.setTrunks([loopbackTrunk('bellhop', port, { credentials: CARRIER })])
})

const command = (...args: string[]) => commands.run(args, env)
/** It exits with a code of its own while it is connected to the database. */
const testTrunk = (name: string) => bellhop(['trunk', 'test', name], { cwd, env })

async function json(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await command(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

async function callIn(to: string) {
  const call = carrier.agent.invite(
    { to: 'trunk', trunk: 'bellhop', number: to },
    { from: ANNA, body: sdp() },
  )
  return { call, ...follow(call) }
}

test('trunk list shows the hosts and registrations as the running edge sees them', async () => {
  await until(async () => /refused with/.test((await command('trunk', 'list')).stdout))
  const { stdout } = await command('trunk', 'list')
  const place = `127\\.0\\.0\\.1:${carrier.ports.udp}`
  expect(stdout).toMatch(new RegExp(`^good .* ${place} up .*registered until 20`, 'm'))
  expect(stdout).toMatch(new RegExp(`^refused .* ${place} up .*not registered: refused with 401$`, 'm'))
  expect(stdout).toMatch(/^quiet .* 192\.0\.2\.1 not probed\s+does not register$/m)
  expect(stdout).toMatch(/^simulator /m)
  expect(stdout).not.toMatch(/correct|guess|password-of/)
  const { trunks } = await json('trunk', 'list')
  expect(trunks[0]).toMatchObject({ name: 'good', configured: true, edges: [{ edge: expect.any(String) }] })
})

test('trunk test exits with 1 if the carrier refuses us, and says what to do', async () => {
  const good = await testTrunk('good')
  expect(good).toMatchObject({ code: 0, stderr: '' })
  expect(good.stdout).toMatch(/has registered us/)
  const refused = await testTrunk('refused')
  expect(refused.code).toBe(1)
  expect(refused.stdout).toMatch(
    /refuses our user name and password[^]*Correct the credentials in SIP_TRUNKS/,
  )
  const quiet = await testTrunk('quiet')
  expect(quiet).toMatchObject({ code: 0 })
  expect(quiet.stdout).toMatch(/there is nothing to ask/)
  const unknown = await testTrunk('nobody')
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toMatch(/There is no trunk "nobody"; the trunks are good, refused, quiet\./)
})

test('a call is listed while it is live, and traced then and after its end, without passwords', async () => {
  const { call, next } = await callIn(number)
  await next('answered')
  const { calls } = await json('call', 'list', '--live')
  expect(calls).toEqual([expect.objectContaining({ direction: 'inbound', to: number })])
  const { id } = calls[0]
  call.hangUp()
  await until(async () => (await json('call', 'list', '--live')).calls.length === 0)

  const file = join(cwd, 'trace.txt')
  const { code, stdout } = await command('call', 'trace', id, '--file', file)
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^ +udp:127\\.0\\.0\\.1:${carrier.ports.udp} +Bellhop$`, 'm'))
  const labels = stdout
    .split('\n')
    .slice(1, -1)
    .map((line) => line.replace(/^[\d:.]+ +/, '').replace(/-+/g, '-'))
  // On a busy machine there are retransmissions, and a 100.
  expect([...new Set(labels)].filter((label) => !label.includes(' 100 '))).toEqual([
    '|- INVITE (SDP) ->|',
    '|<- 401 Unauthorized -|',
    '|- ACK ->|',
    '|<- 200 OK (SDP) -|',
    '|- BYE ->|',
    '|<- 200 OK -|',
  ])
  const whole = await readFile(file, 'utf8')
  expect(whole).toMatch(/^--- 20.* udp:127\.0\.0\.1:\d+ -> Bellhop\nINVITE sip:/m)
  expect(whole).toMatch(/^Authorization: \[removed\]$/m)
  expect(whole).not.toMatch(/nonce|response=/)

  const byCallId = await command('call', 'trace', call.id)
  expect(byCallId.stdout).toBe(stdout)
})

test('a refused call is traced by the Call-ID of its log line', async () => {
  const { call, next } = await callIn('+4578999999')
  await next('ended')
  await until(() => service.stderr().includes(call.id))
  const { stdout } = await command('call', 'trace', call.id)
  expect(stdout).toMatch(/<-+ 404 Not Found -+\|/)
})

test('a call that nobody remembers is a sentence, and exit status 1', async () => {
  const { code, stderr } = await command('call', 'trace', 'cal_01h2xcejqtf2nbrexx3vqjhp41')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^bellhop: No running edge has SIP messages of cal_/)
})

test('an employee is made an operator, and is one no longer', async () => {
  const { companies } = await json('company', 'list')
  const company = companies[0].id
  const operators = async () =>
    (await json('employee', 'list', '--company', company)).employees.map(
      ({ id, operator }: { id: string; operator: boolean }) => [id, operator],
    )
  const [[employee]] = await operators()
  expect(await json('employee', 'operator', '--employee', employee, '--on')).toEqual({ operator: true })
  expect((await operators())[0]).toEqual([employee, true])
  expect(await json('employee', 'operator', '--employee', employee, '--off')).toEqual({ operator: false })
  expect((await operators())[0]).toEqual([employee, false])
  const neither = await command('employee', 'operator', '--employee', employee)
  expect(neither.code).toBe(1)
  expect(neither.stderr).toMatch(/Give --on or --off/)
  const unknown = 'emp_01h2xcejqtf2nbrexx3vqjhp41'
  expect(await command('employee', 'operator', '--employee', unknown, '--on')).toMatchObject({ code: 1 })
})

const readMetrics = async () => (await fetch(`${service.url}/metrics`)).text()

test('the metrics of the edge are at /metrics of bellhop serve', async () => {
  // Every now and then it is trying again.
  await expect.poll(readMetrics).toMatch(/^bellhop_trunk_registrations\{state="failed"\} 1$/m)
  const text = await readMetrics()
  expect(text).toMatch(/^bellhop_calls_refused_total\{direction="inbound",status="404"\} 1$/m)
  expect(text).toMatch(/^process_cpu_seconds_total /m)
})
