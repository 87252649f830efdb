import { expect, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'
import { startEdgeProcess } from '../harness/processes/edge-process.ts'
import { openBrowserPhone } from '../harness/sip/browser-phone.ts'

const BELLHOP_SECRET = 'a secret of all processes of the test'
const phoneSystem = await openPhoneSystem({ BELLHOP_SECRET })
const { bellhop, dial, hire } = phoneSystem

/** The owner of the company has a page that is registered and no longer responds, like a suspended tab. */
async function frozenPage(company: TestCompany) {
  const { body } = await company.api.post('/softphone_credentials')
  const { username, password } = body as { username: string; password: string }
  const page = await openBrowserPhone(`${bellhop.url.replace('http', 'ws')}/sip`, { username, password })
  const register = () => page.register([`Contact: <sip:${username}@x.invalid;transport=ws>`])
  expect((await register()).status).toBe(200)
  const { employee } = (await company.api.get('/session')).body
  const status = async () => (await company.api.get(`/employees/${employee.id}`)).body.status
  expect(await status()).toBe('available')
  return { page, id: employee.id as string, status }
}

test('a phone that does not respond to an INVITE counts as unreachable, and a coworker answers', async () => {
  const company = await bellhop.newCompany()
  const frozen = await frozenPage(company)
  const bob = await hire(company, 'Bob', 800)
  const flow = { type: 'TransferConfig', employee_ids: [frozen.id, bob.id] }
  const { number } = await numberWith(bellhop, company, flow)
  const customer = await dial(number)
  await customer.connected()
  const phone = await bob.rings()
  expect((await frozen.page.requests.take()).method).toBe('INVITE')
  // A page that is only slow finds its connection closed, and reconnects by itself.
  await frozen.page.closed
  await eventually(async () => expect(await frozen.status()).toBe('logged_out'))
  await phone.answer()
  await customer.hears(800)
  customer.hangUp()
  await callIs(company, 'ended')
})

test('the same for a phone at another edge, which rings it for the edge that has the call', async () => {
  const company = await bellhop.newCompany()
  const frozen = await frozenPage(company)
  const SIP_TRUNKS = JSON.stringify([phoneSystem.trunk])
  const other = await startEdgeProcess(bellhop.db.address, { BELLHOP_SECRET, SIP_TRUNKS })
  phoneSystem.connectCarrier('other', other.port)
  const flow = { type: 'TransferConfig', employee_ids: [frozen.id] }
  const { number } = await numberWith(bellhop, company, flow)
  const customer = await dial(number, { over: 'other' })
  await customer.connected()
  await frozen.page.closed
  await eventually(async () => expect(await frozen.status()).toBe('logged_out'))
  customer.hangUp()
  await callIs(company, 'ended')
})
