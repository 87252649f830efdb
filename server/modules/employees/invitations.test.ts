import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Harness, harness, type TestCompany } from '../../../test/harness/index.ts'
import { parseEmail } from '../../../test/harness/texts/email.ts'
import { decodeId } from '../../platform/ids.ts'

let bellhop: Harness
let company: TestCompany

let made = 0
const newEmail = () => `new-${++made}@example.com`

beforeAll(async () => {
  bellhop = await harness()
})

beforeEach(async () => {
  company = await bellhop.newCompany()
  await bellhop.drainJobs()
  await rm(join(bellhop.dataDir, 'mail'), { recursive: true, force: true })
})

async function writtenEmails(): Promise<{ path: string; source: string }[]> {
  const dir = join(bellhop.dataDir, 'mail')
  const names = await readdir(dir).catch(() => [])
  return Promise.all(
    names.map(async (name) => ({
      path: join(dir, name),
      source: await readFile(join(dir, name), 'utf8'),
    })),
  )
}

describe('the invitation of a new employee', () => {
  test('is an e-mail with a link, written to a file whose path is logged', async () => {
    const email = newEmail()
    const { body } = await company.api.post('/employees', { name: 'Åse Ørsted', email })
    expect(await writtenEmails()).toEqual([])
    await bellhop.drainJobs()

    const [kept, ...more] = await writtenEmails()
    expect(more).toEqual([])
    const message = parseEmail(kept!.source)
    expect(message.header('to')).toBe(email)
    expect(message.header('subject')).toBe('Din telefon hos Test company')
    expect(message.text).toContain('Hej Åse Ørsted\n')
    const [link] = message.text.match(/http\S+/g) ?? []
    expect(link).toMatch(new RegExp(`^${bellhop.url}/invitations/[A-Za-z0-9_-]{43}$`))
    expect(bellhop.logged.map((line) => JSON.parse(line).path)).toContain(kept!.path)

    const token = link!.split('/').at(-1)!
    const [row] = await bellhop.db.sql`
      select token_hash, expires_at from invitations where employee_id = ${decodeId('emp', body.id)!}`
    expect(row).toEqual({
      token_hash: createHash('sha256').update(token).digest(),
      expires_at: new Date(bellhop.clock.now().getTime() + 14 * 24 * 60 * 60 * 1000),
    })
    expect(bellhop.logged.join('\n')).not.toContain(token)
  })

  test('is sent once, however often the worker runs', async () => {
    await company.api.post('/employees', { name: 'Bo', email: newEmail() })
    await bellhop.drainJobs()
    await bellhop.drainJobs()
    expect(await writtenEmails()).toHaveLength(1)
  })

  test('goes to each of several new employees', async () => {
    const emails = [newEmail(), newEmail(), newEmail()]
    for (const email of emails) await company.api.post('/employees', { name: 'New', email })
    await bellhop.drainJobs()
    const messages = (await writtenEmails()).map(({ source }) => parseEmail(source))
    expect(new Set(messages.map((message) => message.header('to')))).toEqual(new Set(emails))
    expect(new Set(messages.map((message) => /invitations\/(\S+)/.exec(message.text)?.[1])).size).toBe(3)
  })

  test('is not sent when the employee was refused', async () => {
    const email = newEmail()
    await company.api.post('/employees', { name: 'Bo', email })
    await bellhop.drainJobs()
    const taken = await company.api.post('/employees', { name: 'Copy', email: email.toUpperCase() })
    expect(taken.status).toBe(422)
    await bellhop.drainJobs()
    expect(await writtenEmails()).toHaveLength(1)
  })

  test('is not sent to an employee who was deleted before', async () => {
    const { body } = await company.api.post('/employees', { name: 'Bo', email: newEmail() })
    await company.api.delete(`/employees/${body.id}`)
    await bellhop.drainJobs()
    expect(await writtenEmails()).toEqual([])
    const [left] = await bellhop.db.sql`select count(*)::int as jobs from graphile_worker.jobs`
    expect(left).toEqual({ jobs: 0 })
  })

  test('goes to the address the employee has when it is sent', async () => {
    const { body } = await company.api.post('/employees', { name: 'Bo', email: newEmail() })
    const corrected = newEmail()
    await company.api.patch(`/employees/${body.id}`, { email: corrected })
    await bellhop.drainJobs()
    const messages = (await writtenEmails()).map(({ source }) => parseEmail(source).header('to'))
    expect(messages).toEqual([corrected])
  })

  test('is protected from names that inject headers, recipients or links, also names stored before they were restricted to one line', async () => {
    const name = 'Bo\r\nBcc: eve@evil.example\r\n\r\nhttp://evil.example/'
    const email = newEmail()
    expect((await company.api.post('/employees', { name, email })).status).toBe(422)
    expect((await company.api.post('/employees', { name: 'Bo', email })).status).toBe(201)
    await bellhop.db.sql`update employees set name = ${name} where email = ${email}`
    await bellhop.drainJobs()
    const [kept] = await writtenEmails()
    const message = parseEmail(kept!.source)
    expect(message.headers.map((header) => header.name)).not.toContain('bcc')
    expect(message.header('to')).toBe(email)
    expect(message.text).toContain('Hej Bo Bcc: eve@ evil. example http: //evil. example/\n')
  })
})

const linksSent = async () =>
  (await writtenEmails()).map(({ source }) => /http\S+\/invitations\/\S+/.exec(parseEmail(source).text)![0])

describe('an invitation that is sent again', () => {
  test('has a new link, and the earlier one no longer works', async () => {
    const { body } = await company.api.post('/employees', { name: 'Bo', email: newEmail() })
    await bellhop.drainJobs()
    const [first] = await linksSent()
    expect((await fetch(first!)).status).toBe(200)

    expect((await company.api.post(`/employees/${body.id}/invitation`)).status).toBe(204)
    await bellhop.drainJobs()
    const second = (await linksSent()).find((link) => link !== first)
    expect((await fetch(second!)).status).toBe(200)
    expect((await fetch(first!)).status).toBe(404)
  })

  test('is refused for whoever has accepted it, and for employees of other companies', async () => {
    const { body } = await company.api.post('/employees', { name: 'Bo', email: newEmail() })
    const path = `/employees/${body.id}/invitation`
    expect((await (await bellhop.newCompany()).api.post(path)).status).toBe(404)
    await bellhop.db
      .sql`update employees set invitation_pending = false where id = ${decodeId('emp', body.id)!}`
    const refused = await company.api.post(path)
    expect([refused.status, refused.body.error]).toEqual([409, 'invitation_accepted'])
  })

  test('counts towards the limit of e-mails', async () => {
    const { body } = await company.api.post('/employees', { name: 'Bo', email: newEmail() })
    const statuses: number[] = []
    while (statuses.length < 50 && statuses.at(-1) !== 429)
      statuses.push((await company.api.post(`/employees/${body.id}/invitation`)).status)
    expect(statuses.at(-1)).toBe(429)
    expect(statuses.length).toBeGreaterThan(1)
  })
})

describe('the invitation by SMTP', () => {
  const received: { to: string[]; source: string }[] = []
  let refusing = false
  let mailing: Harness
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    // Closing does not wait for connections, which the mailer keeps open.
    closeTimeout: 1,
    onRcptTo: (_address, _session, done) => done(refusing ? new Error('try again later') : undefined),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ to, source: Buffer.concat(chunks).toString('utf8') })
        done()
      })
    },
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.server.address() as AddressInfo
    mailing = await harness({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Nordlys <phone@nordlys.example>',
    })
  })

  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))

  test('is sent from MAIL_FROM, and retried if the mail server refuses it', async () => {
    const { api } = await mailing.newCompany()
    const email = newEmail()
    refusing = true
    expect((await api.post('/employees', { name: 'Bo', email })).status).toBe(201)
    await mailing.drainJobs()
    expect(received).toEqual([])
    expect(mailing.logged.join('\n')).toContain('employees.invite')

    refusing = false
    // Skips the wait before the next attempt.
    await mailing.db.sql`update graphile_worker._private_jobs set run_at = now()`
    await mailing.drainJobs()
    expect(received.map(({ to }) => to)).toEqual([[email]])
    const message = parseEmail(received[0]!.source)
    expect(message.header('from')).toBe('Nordlys <phone@nordlys.example>')
    expect(message.text).toContain(`${mailing.url}/invitations/`)
    expect(await readdir(mailing.dataDir)).not.toContain('mail')
  })
})
