import { generate } from 'otplib'
import { expect } from 'vitest'

import { formBrowser } from '../harness/browser/form-browser.ts'
import { newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import type { Harness, TestCompany } from '../harness/index.ts'
import { oauthApplication } from '../harness/peers/oauth.ts'
import type { Remembered } from './dump.ts'

const SETUP = '/account/two-factor/setup'

/** Employees who sign in, in every possible way, and an application that one of them has allowed. */
export async function fillSignIn(
  bellhop: Harness,
  company: TestCompany,
): Promise<Pick<Remembered, 'oauth' | 'person'>> {
  const { email } = await newSignInEmployee(bellhop, company)
  const browser = formBrowser(bellhop.url)
  await browser.submit('/sign-in', '/sign-in', { email, password: 'not the password' })
  await browser.submit('/sign-in', '/sign-in', { email, password: PASSWORD })
  const { html } = await browser.get(SETUP)
  const totpSecret = /class="secret">([A-Z2-7 ]+)</.exec(html)![1]!.replaceAll(' ', '')
  const epoch = Math.floor(bellhop.clock.now().getTime() / 1000)
  const code = await generate({ secret: totpSecret, epoch })
  expect((await browser.submit(SETUP, SETUP, { code })).status).toBe(200)

  const forgetful = await newSignInEmployee(bellhop, company)
  const reset = { email: forgetful.email }
  expect((await browser.submit('/password-reset', '/password-reset', reset)).status).toBe(200)

  const application = oauthApplication(bellhop)
  const first = await application.newTokens(company)
  const { body } = await application.refresh(first.clientId, first.refreshToken)
  expect(await application.statusWith(body.access_token)).toBe(200)
  await bellhop.drainJobs()
  return {
    oauth: {
      clientId: first.clientId,
      accessToken: body.access_token,
      refreshToken: body.refresh_token,
    },
    person: { email, password: PASSWORD, totpSecret },
  }
}
