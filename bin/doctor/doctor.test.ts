import { mkdir, readdir, symlink } from 'node:fs/promises'
import { createServer as createHttpServer, request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

import { SMTPServer } from 'smtp-server'
import { beforeAll, describe, expect, test } from 'vitest'

import { afterFile } from '../../test/harness/after-file.ts'
import {
  bellhop,
  connectToEmbedded,
  type Environment,
  newFolder,
  processesIn,
  type Service,
  startService,
} from '../../test/harness/processes/bellhop-process.ts'
import { doctor, found, preload } from '../../test/harness/processes/doctor.ts'
import { freePort } from '../../test/harness/processes/ports.ts'
import { loopbackTrunk, startAgent } from '../../test/harness/sip/agent.ts'
import { silentPort } from '../../test/harness/sip/silent-port.ts'

describe('without any installation', () => {
  test('the report is a table without colours, and nothing is created', async () => {
    const cwd = await newFolder()
    const only = ['database', 'clock', 'ports', 'email', 'storage', 'disk-space', 'node', 'trunks']
    const env = { PORT: '0', SIP_PORT: '0', EDGE_HTTP_PORT: '0' }
    const { code, stdout, stderr } = await bellhop(['doctor', '--only', ...only], { cwd, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ok       node        Node\.js \d/)
    expect(stdout).toMatch(/^warning  database    There is no database in /m)
    expect(stdout).toMatch(/^ {21}→ Start Bellhop, which creates it, and run this again\.$/m)
    expect(stdout).toMatch(/^ok       trunks      There is no trunk: calls are simulated/m)
    expect(stdout).toMatch(/\n\nNo problems and 1 warning\.\n$/)
    expect(stdout).not.toContain('\u001B')
    expect(await readdir(cwd)).toEqual([])
  })

  test('a setting that cannot be read is the only finding', async () => {
    const { code, findings } = await doctor(await newFolder(), { PORT: 'http' })
    expect(code).toBe(1)
    expect(findings).toEqual([
      {
        check: 'settings',
        status: 'problem',
        message: expect.stringMatching(/^PORT must be a port/),
        action: expect.stringContaining('.env.example'),
      },
    ])
  })
})

describe('an installation in which everything fails', () => {
  let all: Awaited<ReturnType<typeof doctor>>
  let ports: { http: number; sip: number; database: number; trunk: number }

  beforeAll(async () => {
    const cwd = await newFolder()
    // Not even root may create files there.
    await mkdir(join(cwd, 'data'))
    await symlink('/proc/sys', join(cwd, 'data', 'files'))
    const silent = await silentPort()
    afterFile(silent.close)
    ports = {
      http: await taken(),
      sip: await taken(),
      database: await freePort(),
      trunk: silent.port,
    }
    const checks = 'database email storage ports base-url trunks media-ports speech-services'
    const trunk = { name: 'silent', hosts: [`127.0.0.1:${silent.port}`] }
    const apart = { name: 'apart', hosts: ['[::1]:5060'], probed: false }
    all = await doctor(
      cwd,
      {
        PORT: String(ports.http),
        SIP_PORT: String(ports.sip),
        MEDIA_PORTS: '20000-20015',
        DATABASE_URL: `postgres://bellhop@127.0.0.1:${ports.database}/bellhop`,
        BELLHOP_BASE_URL: 'http://phone.invalid',
        SMTP_URL: `smtp://anna:let-me-in@127.0.0.1:${await startSmtpServer()}`,
        SIP_TRUNKS: JSON.stringify([trunk, apart]),
        TRANSCRIPTION_ENGINE: 'openai',
        TRANSCRIPTION_URL: `http://127.0.0.1:${ports.database}/v1`,
        EMBEDDINGS: 'off',
      },
      ...checks.split(' '),
    )
  })

  test('exits with 1', () => {
    expect(all).toMatchObject({ code: 1, status: 'problem' })
  })

  test('a database that is down', () => {
    expect(all.of('database')).toEqual([
      found('problem', /cannot be reached \(ECONNREFUSED\)/, /^Start PostgreSQL, or correct DATABASE_URL\.$/),
    ])
  })

  test('an SMTP server that refuses the password, which is not shown', () => {
    expect(all.of('email')).toEqual([found('problem', /refuses the user name and password/, /SMTP_URL/)])
    expect(JSON.stringify(all.findings)).not.toContain('let-me-in')
  })

  test('a folder for files that is read-only', () => {
    expect(all.of('storage')).toEqual([
      found('problem', /^Files cannot be stored in .*files \(E[A-Z]+\)/, /writable/),
    ])
  })

  test('ports that another program uses', () => {
    expect(all.of('ports')).toContainEqual(
      found('problem', `^Port ${ports.http} of 127.0.0.1 is used by another program`, /set PORT /),
    )
    // Who has it is in the database, which is down.
    expect(all.of('ports')).toContainEqual(found('warning', `^Port ${ports.sip} of 127.0.0.1 is used`))
  })

  test('a base URL that is plain http, with a name that nobody knows', () => {
    expect(all.of('base-url')).toEqual([
      found('problem', /^BELLHOP_BASE_URL is plain http/, /https/),
      found('problem', /^The name phone\.invalid does not resolve/, /DNS/),
    ])
  })

  test('a trunk that does not answer, and one in a family that is not listened in', () => {
    expect(all.of('trunks')).toEqual([
      found('problem', /^Trunk apart has the host ::1, but SIP_HOST has no IPv6 address/, /to SIP_HOST/),
      found('problem', /^Trunk silent does not respond to OPTIONS at 127\.0\.0\.1/, /firewall/),
    ])
  })

  test('too few media ports', () => {
    expect(all.of('media-ports')).toEqual([found('warning', /only 4 concurrent calls/, /MEDIA_PORTS/)])
  })

  test('an endpoint for speech that does not answer', () => {
    expect(all.of('speech-services')).toEqual([found('problem', /ECONNREFUSED/, /TRANSCRIPTION_URL/)])
  })
})

describe('a running installation', () => {
  let cwd: string
  let service: Service
  let env: Environment

  beforeAll(async () => {
    cwd = await newFolder()
    const port = String(await freePort())
    const SIP_PORT = String(await freePort())
    env = { PORT: port, SIP_HOST: '127.0.0.1,::1', SIP_PORT, EDGE_HTTP_PORT: '0' }
    service = await startService({ cwd, env })
  })

  test('is in order, and its own ports are used by itself', async () => {
    const { code, status, findings, of } = await doctor(cwd, env)
    expect(findings.filter((each) => each.status !== 'ok')).toEqual([])
    expect({ code, status }).toEqual({ code: 0, status: 'ok' })
    expect(of('database')).toEqual([found('ok', /^PostgreSQL 18\.\d+ responds, and no migration is pending/)])
    expect(of('clock')).toEqual([found('ok', /agree/)])
    expect(of('secrets')).toEqual([found('ok', /^The same secrets in .*\bapi\b/)])
    expect(of('secrets')).toEqual([found('ok', /\bworker\b.*\bedge\b|\bedge\b.*\bworker\b/)])
    expect(of('ports')).toEqual([
      found('ok', `^Port ${env['PORT']} of 127.0.0.1 is used by this installation`),
      found('ok', `^Port ${env['SIP_PORT']} of 127.0.0.1 is used by the edge of this installation`),
      found('ok', `^Port ${env['SIP_PORT']} of ::1 is used by the edge of this installation`),
    ])
    expect(of('websockets')).toEqual([found('ok', /\/cable\.$/), found('ok', /\/sip\.$/)])
    expect(of('speech')).toEqual([found('ok', /speaks/), found('ok', /understands/), found('ok', /search/)])
  })

  test('another secret, another SIP server and a wrong clock are found', async () => {
    const { code, of } = await doctor(
      cwd,
      {
        ...env,
        ...preload(
          'const now = Date; globalThis.Date = class extends now { constructor(...at) { at.length ? super(...at) : super(now.now() + 60000) } }',
        ),
        BELLHOP_SECRET: 'x'.repeat(32),
        SIP_PORT: String(await taken()),
        BELLHOP_BASE_URL: `http://localhost:${env['PORT']}`,
      },
      'secrets',
      'ports',
      'base-url',
      'clock',
    )
    expect(code).toBe(1)
    expect(of('secrets')).toEqual([
      found('problem', /BELLHOP_SECRET is not the one .* api/, /same BELLHOP_SECRET/),
    ])
    expect(of('ports')).toEqual([
      found('problem', /a Bellhop with another BELLHOP_SECRET/, /set PORT /),
      found('problem', /is used by another program, perhaps another SIP server/, /set SIP_PORT /),
      found('ok', /of ::1 is free/),
    ])
    expect(of('base-url')).toEqual([found('problem', /^Another Bellhop answers at http:\/\/localhost/)])
    expect(of('clock')).toEqual([found('problem', /differ by (59|60)(\.\d)? seconds/, /NTP/)])
  })

  test('other keys of texts are a warning, because a rotation looks the same', async () => {
    const other = `2:${'x'.repeat(43)}`
    const { code, of } = await doctor(cwd, { ...env, MESSAGE_KEYS: other }, 'secrets')
    expect(code).toBe(0)
    expect(of('secrets')).toEqual([
      found('warning', /^MESSAGE_KEYS are not those that this command has in .*api/, /rotation/),
    ])
  })

  test('a proxy that passes on neither the host nor WebSockets', async () => {
    const url = await startBadProxy(service.url)
    const { of } = await doctor(cwd, { ...env, BELLHOP_BASE_URL: url }, 'base-url', 'websockets')
    expect(of('base-url')).toEqual([
      found('problem', `but its OAuth issuer is "${service.url}"`, /same BELLHOP_BASE_URL/),
    ])
    expect(of('websockets')).toEqual([
      found('problem', /^The live channel does not open/, /reverse proxy/),
      found('problem', /^Softphones cannot connect/, /reverse proxy/),
    ])
  })

  test('a public host without a base URL', async () => {
    await getAs('phone.example.com', service.url)
    const { code, status, of } = await doctor(cwd, env, 'base-url')
    expect({ code, status }).toEqual({ code: 0, status: 'warning' })
    expect(of('base-url')).toEqual([
      found(
        'warning',
        /^Requests come for a public host although BELLHOP_BASE_URL is not set/,
        /^Set BELLHOP_BASE_URL/,
      ),
    ])
  })

  test('migrations that are missing or unknown, and jobs that nobody does', async () => {
    const sql = connectToEmbedded(join(cwd, 'data'))
    try {
      const [newest] = await sql<{ name: string; hash: string }[]>`
        delete from schema_migrations where name = (select max(name) from schema_migrations) returning name, hash`
      const pending = await doctor(cwd, env, 'database')
      expect(pending.code).toBe(1)
      expect(pending.of('database')).toEqual([found('problem', newest!.name, /`bellhop migrate`/)])
      await sql`insert into schema_migrations ${sql(newest!)}`
      await sql`insert into schema_migrations (name) values ('9999-from-the-future.sql')`
      await sql`select graphile_worker.add_job('nobody.does-this', run_at => now() - interval '1 hour')`
      const newer = await doctor(cwd, env, 'database', 'queues')
      expect(newer.of('database')).toEqual([found('problem', /is newer than this Bellhop: it has 9999-/)])
      expect(newer.of('queues')).toEqual([
        found('problem', /^Overdue by more than 5 minutes: 1 job\.$/, /worker/),
      ])
    } finally {
      await sql.end()
    }
  })

  test('a trunk that has registered us, one that has not, and one that refuses our password', async () => {
    const carrier = await startAgent({ passwords: { anna: 'correct', bo: 'correct' } })
    afterFile(() => carrier.agent.close())
    const trunk = (name: string, username: string, password: string) => ({
      name,
      hosts: [`127.0.0.1:${carrier.ports.udp}`],
      credentials: { username, password },
      registration: { user: username, domain: '127.0.0.1', seconds: 600 },
    })
    const trunks = [
      trunk('registered', 'anna', 'correct'),
      trunk('forgotten', 'bo', 'correct'),
      trunk('refusing', 'bo', 'guess'),
    ]
    const { credentials, registration } = trunks[0]!
    const anna = loopbackTrunk('registered', carrier.ports.udp, { credentials, registration })
    const phone = await startAgent({ trunks: [anna] })
    afterFile(() => phone.agent.close())
    await carrier.registrations.take()

    const { of } = await doctor(cwd, { ...env, SIP_TRUNKS: JSON.stringify(trunks) }, 'trunks')
    expect(of('trunks')).toEqual([
      found('ok', /^Trunk registered responds to OPTIONS/),
      found('ok', /^Trunk registered has registered us/),
      found('ok', /^Trunk forgotten responds to OPTIONS/),
      found('problem', /^Trunk forgotten .* has not registered us/),
      found('ok', /^Trunk refusing responds to OPTIONS/),
      found('problem', /^Trunk refusing refuses our user name and password/, /SIP_TRUNKS/),
    ])
  })

  test('once it is stopped, that is said, and PostgreSQL is not started', async () => {
    service.signal('SIGTERM')
    await service.ended
    const { code, of } = await doctor(cwd, env, 'database', 'clock', 'ports')
    expect(code).toBe(0)
    expect(of('database')).toEqual([
      found('warning', /^The embedded PostgreSQL is not running/, /^Start Bellhop/),
    ])
    expect(of('ports')).toEqual([
      found('ok', /is free/),
      found('ok', /of 127\.0\.0\.1 is free/),
      found('ok', /of ::1 is free/),
    ])
    expect(processesIn(cwd)).toEqual([])
  })
})

/** A port that a program listens on for TCP, without ever answering. */
async function taken(): Promise<number> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** It accepts nobody's password. */
async function startSmtpServer(): Promise<number> {
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(new Error('authentication failed')),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => server.close())
  return (server.server.address() as AddressInfo).port
}

/** It sends requests on under the name of its target, and upgrades nothing. */
async function startBadProxy(target: string): Promise<string> {
  const proxy = createHttpServer((incoming, outgoing) => {
    request(`${target}${incoming.url}`, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers)
      response.pipe(outgoing)
    }).end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

function getAs(host: string, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(`${url}/healthz`, { headers: { host } }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end()
  })
}
