import { expect } from 'vitest'

import { encodeId } from '../../server/platform/ids.ts'
import { formBrowser } from '../harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import type { Harness, TestCompany } from '../harness/index.ts'
import { openPushService } from '../harness/peers/push-service.ts'
import { made } from './fill-records.ts'

const CUSTOMER = '+4520112233'

/** What employees keep beside the work itself. Returns one whose closed browser shows calls that wait. */
export async function fillTeam(bellhop: Harness, company: TestCompany): Promise<{ id: string }> {
  const { api } = company
  const carol = await newSignInEmployee(bellhop, company)
  const id = encodeId('emp', carol.employeeId)
  await made(api.put('/onboarding', { dismissed: true }))
  await made(api.post('/favourites', { phone: CUSTOMER }))
  await made(api.post('/favourites', { employee_id: id }))
  const thread = `/inbox/${encodeURIComponent(CUSTOMER)}`
  await made(api.post(`${thread}/notes`, { text: '@Carol, can you call?', mentioned_employee_ids: [id] }))
  await made(api.post(`${thread}/writing`, { writing: true }))
  await made(api.patch(`/employees/${encodeId('emp', company.employeeId)}`, { email: 'new@example.com' }))
  const { id: leaving } = await made(api.post('/employees', { name: 'Eva', email: 'eva@example.com' }))
  await made(api.put(`${thread}/assignee`, { employee_id: leaving }))
  await made(api.delete(`/employees/${leaving}`))
  await fillBrowser(bellhop, carol)
  return { id }
}

/** A browser of the employee, which has set up a desk phone and is rung while it is closed. */
async function fillBrowser(bellhop: Harness, { email }: { email: string }): Promise<void> {
  const browser = formBrowser(bellhop.url)
  await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
  const phones = '/account/phones'
  expect((await browser.submit(phones, phones, { name: 'Desk' })).html).toContain('phone-link-yealink')
  const push = await openPushService()
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const subscribed = bellhop.anonymous.request('/push_subscriptions', {
    method: 'POST',
    headers: { cookie, origin: bellhop.url, 'content-type': 'application/json' },
    body: JSON.stringify(push.newBrowser().subscription),
  })
  await made(subscribed)
}
