import { expect, test, vi } from 'vitest'

import { setOperator } from '../../server/modules/employees/index.ts'
import { afterFile } from '../harness/after-file.ts'
import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { openDashboard } from '../harness/browser/dashboard.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { newShowcase } from '../harness/showcase.ts'
import { startAgent } from '../harness/sip/agent.ts'

const registrar = await startAgent({ passwords: { acme: 'correct-password' } })
afterFile(() => registrar.agent.close())
const trunk = (name: string, password: string) => ({
  name,
  hosts: [`127.0.0.1:${registrar.ports.tcp}`],
  protocol: 'tcp',
  addresses: ['192.0.2.9'],
  credentials: { username: 'acme', password },
  registration: { user: 'acme', domain: '127.0.0.1', seconds: 600 },
})
const otherTrunks = [
  trunk('registered', 'correct-password'),
  trunk('refused', 'wrong-password'),
  { name: 'quiet', hosts: ['192.0.2.1'], addresses: ['192.0.2.1'], probed: false },
]
const { bellhop, edge, carrier, dial, callee, hire } = await openPhoneSystem({}, {}, { otherTrunks })

async function newOperator() {
  const company = await bellhop.newCompany()
  await bellhop.db.tx((tx) => setOperator(tx, company.employeeId, true))
  return company
}

test('only operators see the carriers, whatever company they are of', async () => {
  const company = await bellhop.newCompany()
  const { status, body } = await company.api.get('/trunks')
  expect({ status, body }).toMatchObject({ status: 403, body: { error: 'not_an_operator' } })
  expect((await company.api.get('/session')).body).toMatchObject({ operator: false })
  const operator = await newOperator()
  expect((await operator.api.get('/trunks')).status).toBe(200)
  expect((await operator.api.get('/session')).body).toMatchObject({ operator: true })
  await bellhop.db.tx((tx) => setOperator(tx, operator.employeeId, false))
  expect((await operator.api.get('/trunks')).status).toBe(403)
})

test('a carrier is shown as the edge sees it, without its credentials', async () => {
  const { api } = await newOperator()
  const read = async () => (await api.get('/trunks')).body
  const at = (name: string, body: Awaited<ReturnType<typeof read>>) =>
    body.trunks.find((one: { name: string }) => one.name === name).edges[0]
  await vi.waitFor(async () => {
    const now = await read()
    expect(at('registered', now).registration).toBe('registered')
    expect(at('refused', now).last_failure).not.toBeNull()
    expect(at('carrier', now).hosts[0].checked_at).not.toBeNull()
  }, 60_000)
  const now = await read()
  expect(now).toMatchObject({ edges: 1, silent_edges: 0 })
  expect(at('carrier', now)).toEqual({
    edge: `127.0.0.1:${edge.port}`,
    transport: 'udp',
    hosts: [{ address: `127.0.0.1:${carrier.ports.udp}`, state: 'up', checked_at: expect.any(String) }],
    registration: 'none',
    registered_until: null,
    calls: 0,
    last_failure: null,
  })
  expect(at('registered', now)).toMatchObject({
    transport: 'tcp',
    registration: 'registered',
    registered_until: expect.any(String),
  })
  expect(at('refused', now).last_failure).toEqual({
    at: expect.any(String),
    of: 'registration',
    status: 401,
    address: null,
  })
  expect(at('quiet', now).hosts).toEqual([{ address: '192.0.2.1', state: 'not_probed', checked_at: null }])
  expect(JSON.stringify(now)).not.toMatch(/password|acme|secret/)
})

test('calls over a carrier are counted, and one that it refuses is its last failure', async () => {
  const operator = await newOperator()
  const company = await bellhop.newCompany()
  const anna = await hire(company, 'Anna', 700)
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const ofCarrier = async () =>
    (await operator.api.get('/trunks')).body.trunks.find((one: { name: string }) => one.name === 'carrier')
      .edges[0]
  const customer = await dial(number)
  await customer.connected()
  expect(await ofCarrier()).toMatchObject({ calls: 1, last_failure: null })
  customer.hangUp()
  await vi.waitFor(async () => expect(await ofCarrier()).toMatchObject({ calls: 0 }), 20_000)
  const busy = await anna.dial('+4520112233')
  ;(await callee()).call.reject(486)
  await busy.ended()
  expect(await ofCarrier()).toMatchObject({ calls: 0, last_failure: null })
  const refused = await anna.dial('+4520112233')
  ;(await callee()).call.reject(503)
  await refused.ended()
  expect(await ofCarrier()).toMatchObject({ calls: 0, last_failure: { of: 'call', status: 503 } })
})

test('the page is in the navigation of operators, shows every carrier, and has no serious fault', async () => {
  const company = await newShowcase(bellhop)
  const { page, complaints } = await openDashboard(bellhop, company, '/contacts')
  const link = page.getByRole('link', { name: 'Carriers' })
  expect(await link.count()).toBe(0)
  await bellhop.db.tx((tx) => setOperator(tx, company.employeeId, true))
  await page.reload()
  await link.click()
  await page.getByRole('heading', { name: 'refused' }).waitFor()
  const text = await page.getByRole('main').innerText()
  expect(text).toMatch(/Registered until \d/)
  expect(text).toMatch(/Registration refused with 401/)
  expect(text).toMatch(/192\.0\.2\.1\s+Not asked/)
  expect(text).not.toMatch(/password|acme/)
  expect(await faultsInEveryLook(page)).toEqual([])
  expect(complaints).toEqual([])
})
