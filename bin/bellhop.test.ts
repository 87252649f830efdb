import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { generate } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { createApiKey } from '../server/modules/api-keys/index.ts'
import { recordingStored } from '../server/modules/calls/index.ts'
import { createCompany } from '../server/modules/company/index.ts'
import { createEmployee } from '../server/modules/employees/index.ts'
import { addNumber } from '../server/modules/numbers/index.ts'
import { createVault } from '../server/platform/crypto/crypto.ts'
import type { DedicatedSql, Tx } from '../server/platform/db/database.ts'
import { decodeId, encodeId, type IdPrefix } from '../server/platform/ids.ts'
import { apiClient } from '../test/harness/api-client.ts'
import { formBrowser } from '../test/harness/browser/form-browser.ts'
import {
  bellhop,
  connectToEmbedded,
  newFolder,
  processesIn,
  type Service,
  startService,
  until,
} from '../test/harness/processes/bellhop-process.ts'
import { type CommandHost, startCommandHost } from '../test/harness/processes/command-host.ts'

const UNKNOWN = '01h2xcejqtf2nbrexx3vqjhp41'
const PASSWORD = 'correct horse battery'

const cwd = await newFolder()
const dataDir = join(cwd, 'data')
const options = { cwd, env: { BELLHOP_DATA_DIR: dataDir } }

let service: Service
let commands: CommandHost
let sql: DedicatedSql
/** A company that no test changes in a way that affects another. */
let acme: { company: string; employee: string }

beforeAll(async () => {
  service = await startService(options)
  commands = startCommandHost(cwd)
  sql = connectToEmbedded(dataDir)
  const company = await newCompany()
  acme = { company, employee: await newEmployee(company) }
})
afterAll(() => sql.end())

const command = (args: string[]) => commands.run(args, options.env)
/** The same as a process of its own. */
const ownProcess = (args: string[]) => bellhop(args, options)

/** What a successful command prints with --json: one object, and nothing else. */
const json = (...args: string[]) => jsonOf(command, args)

async function jsonOf(run: typeof command, args: string[]): Promise<any> {
  const { code, stdout, stderr } = await run([...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trimEnd()).not.toContain('\n')
  return JSON.parse(stdout)
}

const jsonOfProcess = (...args: string[]) => jsonOf(ownProcess, args)

const text = (...args: string[]) => textOf(command, args)

async function textOf(run: typeof command, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

let serial = 0
const newEmail = () => `person-${++serial}@example.com`
const newNumber = () => `+45701234${String(++serial).padStart(2, '0')}`

// Fixtures are created directly in the database: a process for each would take most of the time.
const inTx = <T>(run: (tx: Tx) => Promise<T>) => sql.begin(run)
const uuidOf = (prefix: IdPrefix, id: string) => decodeId(prefix, id)!

const newCompany = async (): Promise<string> => {
  const { id } = await inTx((tx) =>
    createCompany(tx, { name: 'Acme', country: 'DK', messaging_enabled: false }),
  )
  return encodeId('com', id)
}
const newEmployee = async (company: string): Promise<string> => {
  const of = { companyId: uuidOf('com', company) }
  const { id } = await inTx((tx) => createEmployee(tx, of, { name: 'Ann', email: newEmail() }))
  return encodeId('emp', id)
}
const newKey = async (employee: string): Promise<{ id: string; key: string }> => {
  const { id, key } = await inTx((tx) => createApiKey(tx, uuidOf('emp', employee), 'test'))
  return { id: encodeId('key', id), key }
}
const newNumberOf = async (company: string, number: string): Promise<string> => {
  const input = { number, name: 'Shop', sms: false }
  const { id } = await inTx((tx) => addNumber(tx, uuidOf('com', company), input))
  return encodeId('num', id)
}

test('a company, an employee and a key created on the command line work at once in the running service', async () => {
  const company = await jsonOfProcess('company', 'create', '--name', 'Blå Bjerg', '--country', 'dk')
  expect(company).toEqual({ id: expect.stringMatching(/^com_/) })
  const email = newEmail()
  const person = ['--name', 'Ann Holm', '--email', email, '--password', PASSWORD]
  const employee = await jsonOfProcess('employee', 'create', '--company', company.id, ...person)
  expect(employee).toEqual({ id: expect.stringMatching(/^emp_/) })
  const made = await jsonOfProcess('api-key', 'create', '--employee', employee.id, '--name', 'test')
  expect(made).toEqual({ id: expect.stringMatching(/^key_/), key: expect.stringMatching(/^bh_/) })

  const api = apiClient(service.url, made.key)
  expect((await api.get('/company')).body).toMatchObject({ id: company.id, name: 'Blå Bjerg', country: 'DK' })
  expect((await api.get(`/employees/${employee.id}`)).body).toMatchObject({
    name: 'Ann Holm',
    email,
    invitation_pending: false,
  })
})

test('an employee created without a password is invited by the running service', async () => {
  const email = newEmail()
  await json('employee', 'create', '--company', acme.company, '--name', 'Bo', '--email', email)
  let text = ''
  await until(async () => {
    const paths = [...service.stderr().matchAll(/"path":"([^"]+\.eml)"/g)].map((match) => match[1]!)
    for (const path of paths) text = `${text}${await readFile(path, 'utf8')}`
    return text.includes(email)
  })
  expect(text).toContain(`${service.url}/invitations/`)
})

test('the operator confirms a changed address that cannot be confirmed by e-mail', async () => {
  const person = ['--name', 'Bo', '--email', newEmail(), '--password', 'correct horse battery staple']
  const { id } = await json('employee', 'create', '--company', acme.company, ...person)
  const api = apiClient(service.url, (await newKey(acme.employee)).key)
  const email = newEmail()
  const { body } = await api.patch(`/employees/${id}`, { email })
  expect(body).toMatchObject({ email, email_confirmation_pending: true })
  expect(await json('employee', 'confirm-email', '--employee', id)).toEqual({ email })
  expect((await api.get(`/employees/${id}`)).body).toMatchObject({ email, email_confirmation_pending: false })
  expect(await text('employee', 'confirm-email', '--employee', id)).toContain('nothing was changed')
})

test('a revoked key is refused by the running service', async () => {
  const { id, key } = await newKey(acme.employee)
  const api = apiClient(service.url, key)
  expect((await api.get('/company')).status).toBe(200)
  expect(await json('api-key', 'revoke', '--key', id)).toEqual({ id, revoked: true })
  await until(async () => (await api.get('/company')).status === 401)
})

test('everything that was created is listed', async () => {
  const company = await newCompany()
  const employee = await newEmployee(company)
  const key = await newKey(employee)
  const number = newNumber()
  const added = { id: await newNumberOf(company, number) }
  const registration = ['--number', added.id, '--status', 'pending']
  expect(await text('number', 'registration', ...registration)).toContain('is pending')

  expect((await json('company', 'list')).companies).toContainEqual({
    id: company,
    name: 'Acme',
    country: 'DK',
    messaging: false,
    outside_transfers: false,
  })
  expect(await json('employee', 'list', '--company', company)).toEqual({
    employees: [
      {
        id: employee,
        name: 'Ann',
        email: expect.any(String),
        extension: '100',
        invitation_pending: true,
        operator: false,
      },
    ],
  })
  expect(await json('api-key', 'list', '--employee', employee)).toEqual({
    api_keys: [{ id: key.id, name: 'test', created_at: expect.stringMatching(/^20.*Z$/) }],
  })
  expect(await json('number', 'list', '--company', company)).toEqual({
    numbers: [
      {
        id: added.id,
        number,
        name: 'Shop',
        registration_status: 'pending',
        retired: false,
        emergency_caller_id: null,
      },
    ],
  })
  expect(await text('number', 'list', '--company', company)).toBe(
    `${added.id}  ${number}  Shop    registration pending\n`,
  )
})

test('emergency services see the number that the operator chose, until it is taken back', async () => {
  const company = await newCompany()
  const number = newNumber()
  const id = await newNumberOf(company, number)
  const change = (shown: string) => ['number', 'emergency-caller-id', '--number', id, '--shown', shown]
  const listed = () => text('number', 'list', '--company', company)
  expect(await json(...change('+4570998877'))).toEqual({ id, emergency_caller_id: '+4570998877' })
  expect(await listed()).toContain('emergency calls as +4570998877')
  await refuse(change('70998877'), 'must be a number in E.164')
  expect(await text(...change('none'))).toContain('the number itself')
  expect(await listed()).not.toContain('emergency')
})

test('an employee gets another extension, which the list shows; an emergency number is refused', async () => {
  const company = await newCompany()
  const employee = await newEmployee(company)
  const change = (extension: string) => [
    'employee',
    'extension',
    '--employee',
    employee,
    '--extension',
    extension,
  ]
  expect(await json(...change('123'))).toEqual({ extension: '123' })
  expect(await text('employee', 'list', '--company', company)).toContain(`${employee}  123  Ann`)
  await refuse(change('112'), 'emergency or short number')
  await refuse(change('123456'), 'two to five digits')
})

test('a number is taken out of service and put back, and the list says which are', async () => {
  const company = await newCompany()
  const number = newNumber()
  const id = await newNumberOf(company, number)
  expect(await json('number', 'retire', '--number', id)).toEqual({ id, retired: true })
  expect((await json('number', 'list', '--company', company)).numbers).toMatchObject([{ id, retired: true }])
  expect(await text('number', 'list', '--company', company)).toContain('out of service')
  const { retired_at: since } = await storedNumber(number)
  expect(await text('number', 'retire', '--number', id)).toBe(`${id} is out of service.\n`)
  expect((await storedNumber(number)).retired_at).toEqual(since)
  expect(await json('number', 'restore', '--number', id)).toEqual({ id, retired: false })
  expect((await storedNumber(number)).retired_at).toBeNull()
})

test('an integration is added, listed without its secrets, and removed', async () => {
  const company = await newCompany()
  const shop = ['--provider', 'shopify', '--shop', 'nordlys.myshopify.com', '--access-token', 'shpat_1']
  const added = await json('integration', 'add', '--company', company, ...shop)
  expect(added).toEqual({ id: expect.stringMatching(/^int_/) })
  const own = ['--provider', 'custom', '--label', 'CRM', '--url', 'https://1.1.1.1/callers']
  expect(await json('integration', 'add', '--company', company, ...own)).toEqual({
    id: expect.stringMatching(/^int_/),
    signing_secret: expect.stringMatching(/^whsec_/),
  })
  expect((await json('integration', 'list', '--company', company)).integrations).toMatchObject([
    { id: added.id, provider: 'shopify', label: 'Shopify', active: true, last_error: null },
    { provider: 'custom', label: 'CRM' },
  ])
  const removal = ['integration', 'remove', '--company', company, '--integration', added.id]
  expect(await json(...removal)).toEqual({ id: added.id, removed: true })
  expect(await text('integration', 'list', '--company', company)).toMatch(/^int_\w+  custom  CRM\n$/)

  const again = await command(removal)
  expect(again).toMatchObject({ code: 1, stderr: `bellhop: There is no integration ${added.id}.\n` })
  const inside = [...own.slice(0, -1), 'https://127.0.0.1/']
  const refused = await command(['integration', 'add', '--company', company, ...inside])
  expect(refused).toMatchObject({
    code: 1,
    stderr: 'bellhop: --url must not lead to a private address.\n',
  })
})

const flagOf = async (id: string) =>
  (await sql`select messaging_enabled from companies where id = ${uuidOf('com', id)}`)[0]!.messaging_enabled

test('the messaging flag is off for a new company, and switched by --messaging, --on and --off', async () => {
  const { id: company } = await json('company', 'create', '--name', 'Acme', '--country', 'DK')
  expect(await flagOf(company)).toBe(false)
  expect(await json('company', 'messaging', '--company', company, '--on')).toEqual({
    id: company,
    messaging: true,
  })
  expect(await flagOf(company)).toBe(true)
  expect(await json('company', 'messaging', '--company', company, '--off')).toEqual({
    id: company,
    messaging: false,
  })
  expect(await flagOf(company)).toBe(false)
  const texting = await json('company', 'create', '--name', 'T', '--country', 'SE', '--messaging')
  expect(await flagOf(texting.id)).toBe(true)
  const listed = (await json('company', 'list')).companies
  expect(listed).toContainEqual(expect.objectContaining({ id: company, messaging: false }))
  expect(listed).toContainEqual(expect.objectContaining({ id: texting.id, messaging: true }))
})

test('transfers to numbers outside are refused for a new company, and switched by --on and --off', async () => {
  const { id: company } = await json('company', 'create', '--name', 'Acme', '--country', 'DK')
  const isListed = async (allowed: boolean) =>
    expect((await json('company', 'list')).companies).toContainEqual(
      expect.objectContaining({ id: company, outside_transfers: allowed }),
    )
  await isListed(false)
  for (const [option, allowed] of [
    ['--on', true],
    ['--off', false],
  ] as const) {
    const set = await json('company', 'outside-transfers', '--company', company, option)
    expect(set).toEqual({ id: company, outside_transfers: allowed })
    await isListed(allowed)
  }
  const neither = await command(['company', 'outside-transfers', '--company', company])
  expect(neither).toMatchObject({ code: 1, stderr: 'bellhop: Give --on or --off.\n' })
})

const storedNumber = async (number: string) =>
  (await sql`select * from business_numbers where number = ${number}`)[0]!

test('a new number rings every employee, takes voicemail outside hours and is open on weekdays', async () => {
  const company = await newCompany()
  const employees = [await newEmployee(company), await newEmployee(company)]
  const number = newNumber()
  await json('number', 'add', '--company', company, '--number', number, '--name', 'Shop')
  const stored = await storedNumber(number)
  expect(stored).toMatchObject({
    timezone: 'Europe/Copenhagen',
    language: 'da',
    sms_capable: false,
    wait_audio: 'ringtone',
    registration_status: 'not_required',
    incoming_call_config: { type: 'TransferConfig' },
    outside_business_hours_config: { type: 'VoicemailConfig', greeting: expect.stringContaining('besked') },
  })
  const targets = await sql`select from call_targets where business_number_id = ${stored.id}`
  expect(targets).toHaveLength(employees.length)
  expect(stored.business_hours).toHaveLength(7)
  for (const day of stored.business_hours)
    expect(day).toEqual({
      day_of_week: day.day_of_week,
      open: day.day_of_week < 5,
      opening_at: '08:00',
      closing_at: '16:00',
    })
})

test('a number of a company without employees starts with voicemail', async () => {
  const number = newNumber()
  await json('number', 'add', '--company', await newCompany(), '--number', number, '--name', 'Shop')
  expect((await storedNumber(number)).incoming_call_config.type).toBe('VoicemailConfig')
})

test('a number takes its timezone, language, texting, wait audio and call flow from the options', async () => {
  const number = newNumber()
  const incoming = { type: 'RejectConfig', message: 'We have moved.' }
  const settings = ['--timezone', 'America/New_York', '--language', 'en', '--wait-audio', 'music', '--sms']
  const shop = ['--company', acme.company, '--number', number, '--name', 'Shop']
  await json('number', 'add', ...shop, ...settings, '--incoming', JSON.stringify(incoming))
  expect(await storedNumber(number)).toMatchObject({
    timezone: 'America/New_York',
    language: 'en',
    sms_capable: true,
    wait_audio: 'music',
    incoming_call_config: incoming,
  })
})

test('the operator sees why recordings have no transcript, and retries them', async () => {
  const company = await newCompany()
  await newEmployee(company)
  const number = newNumber()
  await newNumberOf(company, number)
  const [call] = await sql<{ id: string; company_id: string }[]>`
    insert into calls (company_id, business_number_id, direction, remote_number, state)
    select company_id, id, 'inbound', '+4520112233', 'ended' from business_numbers where number = ${number}
    returning id, company_id`
  const { id, company_id } = call!
  await sql.begin((tx) => recordingStored(tx, company_id, id, { key: 'recordings/any.wav' }))
  const failed = async () =>
    (await sql`select from transcript_orders where company_id = ${company_id} and status = 'failed'`)
      .length === 1
  await until(failed)
  const failures = [{ failure: 'language', reason: 'No engine here knows da.', count: 1 }]
  expect(await json('transcripts', 'status', '--company', company)).toEqual({ waiting: 0, failures })
  expect(await text('transcripts', 'status', '--company', company)).toBe(
    '0 waiting.\n1  language  No engine here knows da.\n',
  )
  expect(service.stderr().match(/No engine here knows da/g)).toHaveLength(1)
  expect(await json('transcripts', 'retry', '--company', company)).toEqual({ retried: 1 })
  await until(failed)
  expect(service.stderr().match(/No engine here knows da/g)).toHaveLength(1)
  const [row] = await sql`select transcription from calls where id = ${id}`
  expect(row).toEqual({ transcription: null })
})

test('the registration of a number is stored: status, due date and reason', async () => {
  const number = newNumber()
  const id = await newNumberOf(acme.company, number)
  const register = (...args: string[]) => json('number', 'registration', '--number', id, '--status', ...args)
  const stored = async () => {
    const { registration_status, registration_due_at, registration_reason } = await storedNumber(number)
    return [registration_status, registration_due_at?.toISOString() ?? null, registration_reason]
  }

  const due = '2026-12-31T12:00:00.000Z'
  expect(await register('pending', '--due-at', '2026-12-31T13:00:00+01:00')).toEqual({
    id,
    registration_status: 'pending',
  })
  expect(await stored()).toEqual(['pending', due, null])
  await register('rejected', '--reason', 'The VAT number is unknown.')
  expect(await stored()).toEqual(['rejected', due, 'The VAT number is unknown.'])
  await register('rejected', '--reason', 'The address does not match.')
  expect(await stored()).toEqual(['rejected', due, 'The address does not match.'])
  await register('submitted')
  expect(await stored()).toEqual(['submitted', due, null])
  await register('approved')
  expect(await stored()).toEqual(['approved', null, null])
})

test('a device gets SIP credentials, of which the password is stored only sealed', async () => {
  const device = await json('device', 'create', '--employee', acme.employee, '--name', 'Desk')
  expect(device).toEqual({
    id: expect.stringMatching(/^dev_/),
    username: expect.stringMatching(/^\w+$/),
    password: expect.stringMatching(/^.{20,}$/),
    domain: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
  })
  const [stored] = await sql`select * from devices where username = ${device.username}`
  expect(stored!.name).toBe('Desk')
  const [row] = await sql<{ text: string }[]>`
    select devices::text || encode(password_sealed, 'escape') as text from devices where username = ${device.username}`
  expect(row!.text).not.toContain(device.password)

  const secret = (await readFile(join(dataDir, 'secret'), 'utf8')).trim()
  const context = `device password ${device.username}`
  expect(createVault(secret).open(stored!.password_sealed, context)).toBe(device.password)
})

test('the devices of an employee are listed, and removed', async () => {
  const employee = await newEmployee(acme.company)
  const { id, username } = await json('device', 'create', '--employee', employee, '--name', 'Desk')
  const made = { kind: 'phone', made_with: null }
  const registration = { registered: false, last_registered_at: null }
  const encryption = { encryption: 'auto', encryption_refused_at: null }
  const device = { id, name: 'Desk', ...made, username, ...registration, ...encryption }
  expect(await json('device', 'list', '--employee', employee)).toEqual({ devices: [device] })
  expect(await text('device', 'list', '--employee', employee)).toBe(
    `${id}  ${username}  Desk  not registered\n`,
  )
  expect(await json('device', 'encryption', '--device', id, '--mode', 'required')).toEqual({
    id,
    encryption: 'required',
  })
  await sql`update devices set encryption_refused_at = '2026-01-02T03:04:05Z' where username = ${username}`
  expect(await text('device', 'list', '--employee', employee)).toBe(
    `${id}  ${username}  Desk  not registered  encryption required, refused encryption 2026-01-02T03:04:05.000Z\n`,
  )
  expect(await json('device', 'remove', '--device', id)).toEqual({ id, removed: true })
  expect(await json('device', 'list', '--employee', employee)).toEqual({ devices: [] })
})

test('an OAuth client is registered with every redirect URI given, custom schemes included', async () => {
  const uris = ['https://app.example/callback', 'myapp://signed-in']
  const { client_id } = await json('oauth-client', 'create', '--name', 'App', '--redirect-uri', ...uris)
  expect(client_id).toMatch(/^cli_/)
  const [stored] = await sql`select * from oauth_clients order by id desc limit 1`
  expect(stored).toMatchObject({ name: 'App', redirect_uris: uris, first_party: true })
})

/** The service prints its own address. */
const simulateSms = (to: string, ...more: string[]) => simulateSmsFrom('+4520112233', to, ...more)
const simulateSmsFrom = (from: string, to: string, ...more: string[]) => {
  const env = { ...options.env, PORT: new URL(service.url).port }
  return commands.run(['simulate', 'sms', '--from', from, '--to', to, ...more], env)
}

test('a simulated text arrives at a number with texting', async () => {
  const number = newNumber()
  await json('number', 'add', '--company', acme.company, '--number', number, '--name', 'Shop', '--sms')
  const { code, stdout, stderr } = await simulateSms(number, '--text', 'Er I åbne?', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ id: expect.any(String), from: '+4520112233', to: number })
  const stored = await sql`
    select direction, remote_number, status from messages join business_numbers n on n.id = business_number_id
    where n.number = ${number}`
  expect(stored).toEqual([{ direction: 'inbound', remote_number: '+4520112233', status: 'received' }])
})

test('a simulated text may come from a sender without a number', async () => {
  const number = newNumber()
  await json('number', 'add', '--company', acme.company, '--number', number, '--name', 'Shop', '--sms')
  const { code, stdout, stderr } = await simulateSmsFrom('DSB Info', number, '--text', 'Hej', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ id: expect.any(String), from: 'DSB Info', to: number })
  const stored = await sql`
    select remote_number from messages join business_numbers n on n.id = business_number_id
    where n.number = ${number}`
  expect(stored).toEqual([{ remote_number: 'DSB Info' }])
  const long = await simulateSmsFrom('x'.repeat(33), number, '--text', 'Hej')
  expect(long.stderr).toBe('bellhop: --from must be a number or a name of at most 32 characters.\n')
})

test('a simulated text that cannot be delivered is refused with the reason', async () => {
  const unknown = await simulateSms('+4570999999', '--text', 'Hello')
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toMatch(/^bellhop: The service at \S+ has no number \+4570999999 [^\n]+\.\n$/)
  const wrong = await simulateSms('70999999', '--text', 'Hello')
  expect(wrong.stderr).toMatch(/^bellhop: --to must be a number in E\.164[^\n]+\.\n$/)
  const env = { ...options.env, PORT: '1' }
  const args = ['simulate', 'sms', '--from', '+4520112233', '--to', '+4570999999', '--text', 'Hello']
  const alone = await commands.run(args, env)
  expect(alone.stderr).toMatch(/^bellhop: Nothing responds at http:\/\/127\.0\.0\.1:1: [^\n]+\.\n$/)
})

test('migrate reports that a running service has already migrated the database', async () => {
  expect(await text('migrate')).toBe('The database was up to date.\n')
})

test('every command works while no service runs, and leaves no PostgreSQL behind', async () => {
  const cwd = await newFolder()
  const env = { BELLHOP_DATA_DIR: join(cwd, 'data') }
  const alone = async (...args: string[]): Promise<any> => {
    const { code, stdout, stderr } = await bellhop([...args, '--json'], { cwd, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  expect((await alone('migrate')).migrated).toContain('0001-foundation.sql')
  expect(processesIn(cwd)).toEqual([])
  const demo = await alone('demo')
  expect(demo).toEqual({
    email: expect.stringContaining('@'),
    password: expect.any(String),
    api_key: expect.stringMatching(/^bh_/),
  })
  const company = (await alone('company', 'create', '--name', 'A', '--country', 'DK')).id
  const email = newEmail()
  const { id } = await alone('employee', 'create', '--company', company, '--name', 'A', '--email', email)
  const { key } = await alone('api-key', 'create', '--employee', id, '--name', 'test')
  const number = await alone('number', 'add', '--company', company, '--number', newNumber(), '--name', 'A')
  await alone('number', 'registration', '--number', number.id, '--status', 'pending')
  await alone('company', 'messaging', '--company', company, '--on')
  await alone('device', 'create', '--employee', id)
  await alone('oauth-client', 'create', '--name', 'App', '--redirect-uri', 'https://app.example')
  expect(processesIn(cwd)).toEqual([])

  const later = await startService({ cwd, env })
  expect(later.stdout()).not.toContain('API key')
  for (const credential of [key, demo.api_key])
    expect((await apiClient(later.url, credential).get('/company')).status).toBe(200)
  later.signal('SIGTERM')
  expect(await later.ended).toBe(0)
})

test('the sign-in that the first start prints works for the demo account', async () => {
  const printed = (name: string) => new RegExp(`^  ${name} +(\\S+)$`, 'm').exec(service.stdout())![1]!
  expect(printed('Sign in at')).toBe(`${service.url}/sign-in`)
  const browser = formBrowser(service.url)
  const typed = { email: printed('Sign in'), password: printed('Password') }
  const answer = await browser.submit('/sign-in', '/sign-in', typed)
  expect(answer.location).toBe('/')
  expect((await browser.get('/account')).text).toContain('Anna Holm Nordlys Cykler')
})

test('a lost second factor is switched off, and its sessions end', async () => {
  const email = newEmail()
  const person = ['--name', 'A', '--email', email, '--password', PASSWORD]
  const { id } = await json('employee', 'create', '--company', acme.company, ...person)
  const off = () => json('employee', 'two-factor-off', '--employee', id)
  expect(await off()).toEqual({ two_factor_was_on: false })

  const setup = '/account/two-factor/setup'
  const browser = formBrowser(service.url)
  const signIn = () => browser.post('/sign-in', { email, password: PASSWORD })
  await signIn()
  const secret = /class="secret">([A-Z2-7 ]+)</.exec((await browser.get(setup)).html)![1]!.replaceAll(' ', '')
  expect((await browser.submit(setup, setup, { code: await generate({ secret }) })).status).toBe(200)

  expect(await off()).toEqual({ two_factor_was_on: true })
  expect((await browser.get('/account')).status).toBe(303)
  expect((await signIn()).location).toBe('/')
})

test('without a command it shows its help', async () => {
  const help = await textOf(ownProcess, [])
  for (const command of ['serve', 'api', 'worker', 'migrate', 'demo', 'company', 'employee', 'api-key'])
    expect(help).toContain(`\n  ${command} `)
})

const company = `com_${UNKNOWN}`
const employee = `emp_${UNKNOWN}`
const numberAdd = ['number', 'add', '--company', company, '--number', '+4570000001', '--name', 'Shop']
const registration = ['number', 'registration', '--number', `num_${UNKNOWN}`]
type Refusal = [what: string, args: string[], says: string]

const refusedProcesses: Refusal[] = [
  ['an unknown command', ['compny', 'list'], "unknown command 'compny'"],
  ['an unknown company', ['employee', 'list', '--company', company], `no company ${company}`],
]
const refusals: Refusal[] = [
  ['an unknown option', ['company', 'list', '--all'], "unknown option '--all'"],
  ['an argument too many', ['migrate', 'now'], 'too many arguments'],
  ['a missing option', ['company', 'create', '--name', 'A'], '--country'],
  ['an option without its value', ['company', 'create', '--country', 'DK', '--name'], '--name'],
  ['a malformed id', ['employee', 'list', '--company', 'acme'], '"acme" is not the id of a company'],
  ['the id of another kind', ['employee', 'list', '--company', employee], 'begins with com_'],
  [
    'an employee of an unknown company',
    ['employee', 'create', '--company', company, '--name', 'A', '--email', 'a@b.dk'],
    `no company ${company}`,
  ],
  ['a number of an unknown company', numberAdd, `no company ${company}`],
  [
    'a key of an unknown employee',
    ['api-key', 'create', '--employee', employee, '--name', 'A'],
    `no employee ${employee}`,
  ],
  [
    'the second factor of an unknown employee',
    ['employee', 'two-factor-off', '--employee', employee],
    `no employee ${employee}`,
  ],
  ['a device of an unknown employee', ['device', 'create', '--employee', employee], 'no employee'],
  ['an unknown key', ['api-key', 'revoke', '--key', `key_${UNKNOWN}`], `no API key key_${UNKNOWN}`],
  ['an unknown number', [...registration, '--status', 'approved'], `no number num_${UNKNOWN}`],
  ['a blank name', ['company', 'create', '--name', ' ', '--country', 'DK'], "--name can't be blank"],
  ['a wrong country', ['company', 'create', '--name', 'A', '--country', 'XX'], '--country must be'],
  ['neither --on nor --off', ['company', 'messaging', '--company', company], '--on or --off'],
  ['both --on and --off', ['company', 'messaging', '--company', company, '--on', '--off'], '--off'],
  ['a blank key name', ['api-key', 'create', '--employee', employee, '--name', ''], "--name can't be blank"],
  ['a phone number that is not E.164', [...numberAdd, '--number', '70123456'], '--number must be'],
  ['a name with forbidden letters', [...numberAdd, '--name', 'Blå'], '--name may have ASCII letters'],
  ['an unknown timezone', [...numberAdd, '--timezone', 'Mars/Base'], '--timezone must be'],
  ['an unsupported language', [...numberAdd, '--language', 'tlh'], '--language must be'],
  ['an unknown wait audio', [...numberAdd, '--wait-audio', 'jazz'], '--wait-audio must be'],
  ['broken JSON', [...numberAdd, '--incoming', '{type:'], '--incoming must be valid JSON'],
  ['an unknown flow', [...numberAdd, '--incoming', '{"type":"Dance"}'], '--incoming type must be'],
  ['an unknown status', [...registration, '--status', 'maybe'], '--status must be'],
  [
    'a rejection without a reason',
    [...registration, '--status', 'rejected'],
    '--reason is required when the status is rejected',
  ],
  [
    'a rejection with a blank reason',
    [...registration, '--status', 'rejected', '--reason', ' '],
    "--reason can't be blank",
  ],
  [
    'a malformed time',
    [...registration, '--status', 'pending', '--due-at', 'soon'],
    '--due-at must be a time',
  ],
  [
    'a redirect URI that runs code',
    ['oauth-client', 'create', '--name', 'A', '--redirect-uri', 'javascript:alert(1)'],
    '--redirect-uri must be',
  ],
]

async function refuse(args: string[], says: string, run = command): Promise<void> {
  const { code, stdout, stderr } = await run(args)
  expect(stderr).toMatch(/^bellhop: [^\n]+\.\n$/)
  expect(stderr).toContain(says)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
}

test.each(refusedProcesses)('%s is refused with one sentence', (_, args, says) =>
  refuse([...args, '--json'], says, ownProcess),
)

test.each(refusals)('%s is refused with one sentence', (_, args, says) => refuse([...args, '--json'], says))

test('an invalid employee is refused with one sentence, and not added', async () => {
  const company = await newCompany()
  const taken = newEmail()
  const of = { companyId: uuidOf('com', company) }
  await inTx((tx) => createEmployee(tx, of, { name: 'Ann', email: taken }))
  const create = ['employee', 'create', '--company', company, '--name', 'Ann', '--email']
  const wrong: [string[], string][] = [
    [[...create, taken.toUpperCase()], '--email is already used by another employee'],
    [[...create, 'ann'], '--email is not an e-mail address'],
    [[...create, newEmail(), '--password', 'short'], '--password must have at least'],
  ]
  await Promise.all(wrong.map(([args, says]) => refuse(args, says)))
  expect((await json('employee', 'list', '--company', company)).employees).toHaveLength(1)
})

test('a number can be added only once, and only employees of its company can be call targets', async () => {
  const number = newNumber()
  await newNumberOf(acme.company, number)
  const add = ['number', 'add', '--company', await newCompany(), '--name', 'Shop', '--number']
  const again = await command([...add, number])
  expect(again).toEqual({ code: 1, stdout: '', stderr: 'bellhop: --number is already in use.\n' })

  const foreign = newNumber()
  const incoming = JSON.stringify({ type: 'TransferConfig', employee_ids: [acme.employee] })
  const refused = await command([...add, foreign, '--incoming', incoming])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/^bellhop: .*must be ids of employees of the company\.\n$/)
  expect(await storedNumber(foreign)).toBeUndefined()
})

test('a second demo company is refused with one sentence', async () => {
  const { code, stdout, stderr } = await ownProcess(['demo', '--json'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^bellhop: The demo company seems to exist already[^\n]+\.\n$/)
})

const fail = async (env: Record<string, string>) => {
  const { code, stdout, stderr } = await bellhop(['company', 'list'], { cwd, env })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  return stderr
}

test('a wrong setting or a database that cannot be reached stops every command with one sentence', async () => {
  expect(await fail({ LOG_LEVEL: 'loud' })).toMatch(/^bellhop: LOG_LEVEL must be one of fatal, [^\n]+\.\n$/)
  expect(await fail({ DATABASE_URL: 'postgres://127.0.0.1:1/bellhop' })).toMatch(
    /^bellhop: The database of DATABASE_URL cannot be reached[^\n]+\.\n$/,
  )
  const file = join(dataDir, 'secret')
  await access(file)
  expect(await fail({ BELLHOP_DATA_DIR: file })).toBe('bellhop: BELLHOP_DATA_DIR must be a folder.\n')
})
