import { expect, test } from 'vitest'

import { afterFile } from '../harness/after-file.ts'
import { formBrowser } from '../harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import { openTestControl, startTestEdge } from '../harness/calls/edge.ts'
import { harness } from '../harness/index.ts'
import { startLinphone } from '../harness/sip/linphone.ts'

const PATH = '/account/phones'

test('Linphone registers by the address of its settings alone', async () => {
  const bellhop = await harness()
  await startTestEdge(bellhop, openTestControl().create)
  const { email } = await newSignInEmployee(bellhop)
  const browser = formBrowser(bellhop.url)
  await browser.post('/sign-in', { email, password: PASSWORD })
  const { html } = await browser.submit(PATH, PATH, { name: 'Linphone' })
  const settingsUrl = /id="phone-link-linphone"[^>]*>([^<]+)</.exec(html)![1]!
  const linphone = await startLinphone({ settingsUrl })
  afterFile(() => linphone.stop())
  await expect
    .poll(async () => (await browser.get(PATH)).text, { timeout: 60_000 })
    .toMatch(/Linphone \w+ now/)
}, 120_000)
