import { expect, onTestFinished } from 'vitest'

import { formBrowser } from '../browser/form-browser.ts'
import { newSignInEmployee, PASSWORD } from '../browser/sign-in.ts'
import type { Harness, TestCompany } from '../index.ts'
import { startLinphone } from '../sip/linphone.ts'
import { eventually } from './call-events.ts'

const PATH = '/account/phones'

/** An employee whose Linphone has set itself up by the link on the page of phones. */
export async function employeeWithLinphone(bellhop: Harness, company: TestCompany, hz: number) {
  const { email, id } = await newSignInEmployee(bellhop, company)
  const browser = formBrowser(bellhop.url)
  await browser.post('/sign-in', { email, password: PASSWORD })
  const { html } = await browser.submit(PATH, PATH, { name: 'Linphone' })
  const settingsUrl = /id="phone-link-linphone"[^>]*>([^<]+)</.exec(html)![1]!
  const linphone = await startLinphone({ settingsUrl, hz })
  onTestFinished(() => linphone.stop())
  await eventually(async () => expect((await browser.get(PATH)).text).toMatch(/Linphone \w+ now/))
  return { company, id, linphone }
}
