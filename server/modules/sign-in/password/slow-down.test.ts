import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import {
  type FormBrowser,
  formBrowser,
  type ReadPage,
} from '../../../../test/harness/browser/form-browser.ts'
import {
  linkTo,
  newSignInEmployee,
  PASSWORD,
  type SignInEmployee,
} from '../../../../test/harness/browser/sign-in.ts'
import { type Harness, harness } from '../../../../test/harness/index.ts'

let bellhop: Harness
let elsewhere: string
let anna: SignInEmployee

beforeAll(async () => {
  bellhop = await harness()
  elsewhere = await bellhop.startAnotherApi()
})

beforeEach(async () => {
  anna = await newSignInEmployee(bellhop)
})

let places = 0
const newAddress = () => `2001:db8:${(++places).toString(16)}::1`
/** A new browser, in its own network. */
const newBrowser = (address = newAddress(), url = bellhop.url) => formBrowser(url, { address })

const tryPassword = (browser: FormBrowser, email: string, password = 'not the password') =>
  browser.post('/sign-in', { email, password })

/** Fails this many times, each time from another network, and waits as long as required. */
async function failFromEverywhere(email: string, times: number): Promise<number[]> {
  const waits: number[] = []
  for (let i = 0; i < times; i++) {
    const answer = await tryPassword(newBrowser(), email)
    if (answer.status === 422) {
      waits.push(0)
      continue
    }
    const seconds = waitOf(answer)
    waits.push(seconds)
    bellhop.clock.advance(seconds * 1000)
    expect((await tryPassword(newBrowser(), email)).status).toBe(422)
  }
  return waits
}

function waitOf({ status, headers, text }: ReadPage): number {
  expect(status).toBe(429)
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(text).toMatch(/Try again in \d+ (second|minute)s?\./)
  return seconds
}

describe('after five wrong passwords', () => {
  test('an account has growing waits, up to a minute, for attempts from anywhere', async () => {
    expect(await failFromEverywhere(anna.email, 13)).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60])
  })

  test('the right one has to wait too, and then works', async () => {
    await failFromEverywhere(anna.email, 5)
    const browser = newBrowser()
    const seconds = waitOf(await tryPassword(browser, anna.email, PASSWORD))
    expect(browser.cookies.size).toBe(0)
    bellhop.clock.advance(seconds * 1000 - 1)
    waitOf(await tryPassword(browser, anna.email, PASSWORD))
    bellhop.clock.advance(1)
    expect((await tryPassword(browser, anna.email, PASSWORD)).status).toBe(303)
  })

  test('an unknown address has the same waits', async () => {
    const email = 'nobody-at-all@example.com'
    expect(await failFromEverywhere(email, 8)).toEqual([0, 0, 0, 0, 0, 1, 2, 4])
  })

  test('another process has the same waits, and other accounts do not', async () => {
    await failFromEverywhere(anna.email, 5)
    waitOf(await tryPassword(newBrowser(undefined, elsewhere), anna.email, PASSWORD))
    const bo = await newSignInEmployee(bellhop)
    expect((await tryPassword(newBrowser(undefined, elsewhere), bo.email, PASSWORD)).status).toBe(303)
  })

  test('the address counts the same in any letter case', async () => {
    await failFromEverywhere(anna.email, 3)
    await failFromEverywhere(` ${anna.email.toUpperCase()}`, 2)
    waitOf(await tryPassword(newBrowser(), anna.email))
  })

  test('a right one resets the count', async () => {
    await failFromEverywhere(anna.email, 4)
    expect((await tryPassword(newBrowser(), anna.email, PASSWORD)).status).toBe(303)
    expect(await failFromEverywhere(anna.email, 5)).toEqual([0, 0, 0, 0, 0])
  })

  test('a day without attempts resets the count', async () => {
    await failFromEverywhere(anna.email, 9)
    bellhop.clock.advance(24 * 60 * 60 * 1000)
    expect(await failFromEverywhere(anna.email, 5)).toEqual([0, 0, 0, 0, 0])
  })

  test('twenty concurrent attempts are not twenty guesses', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => tryPassword(newBrowser(), anna.email)))
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })
})

describe('attackers who keep trying', () => {
  test('do not slow down a browser that has signed in before', async () => {
    const own = newBrowser()
    await tryPassword(own, anna.email, PASSWORD)
    await own.submit('/account', '/sign-out')
    await failFromEverywhere(anna.email, 12)
    waitOf(await tryPassword(newBrowser(), anna.email, PASSWORD))
    expect((await tryPassword(own, anna.email, PASSWORD)).status).toBe(303)
  })

  test('cannot use their own known browser: it is known for its own employee only', async () => {
    const attacker = newBrowser()
    const bo = await newSignInEmployee(bellhop)
    await tryPassword(attacker, bo.email, PASSWORD)
    await failFromEverywhere(anna.email, 5)
    waitOf(await tryPassword(attacker, anna.email))
  })

  test('cannot forge a known browser', async () => {
    const own = newBrowser()
    await tryPassword(own, anna.email, PASSWORD)
    const [name, signature] = own.cookies.get('bellhop_browser')!.split('.')
    await failFromEverywhere(anna.email, 5)
    for (const made of [`${name}x.${signature}`, `${name}.`, `${name}`, `.${signature}`, '.']) {
      const attacker = newBrowser()
      attacker.cookies.set('bellhop_browser', made)
      waitOf(await tryPassword(attacker, anna.email))
    }
  })

  test('do not lock out an employee without a known browser: a new password by e-mail works', async () => {
    await failFromEverywhere(anna.email, 12)
    const browser = newBrowser()
    await browser.submit('/password-reset', '/password-reset', { email: anna.email })
    const link = await linkTo(bellhop, anna.email)
    await browser.submit(link, new URL(link).pathname, { password: 'a password nobody knows' })
    expect((await tryPassword(browser, anna.email, 'a password nobody knows')).status).toBe(303)
  })
})

describe('a known browser', () => {
  test('has waits for its own account after its own failures', async () => {
    const own = newBrowser()
    await tryPassword(own, anna.email, PASSWORD)
    for (let i = 0; i < 5; i++) expect((await tryPassword(own, anna.email)).status).toBe(422)
    waitOf(await tryPassword(own, anna.email, PASSWORD))
  })
})

/** Fails once for each of this many accounts. */
const spray = async (times: number, address: (i: number) => string) => {
  const answers = []
  for (let i = 0; i < times; i++)
    answers.push(await tryPassword(newBrowser(address(i)), `spray-${places}-${i}@example.com`))
  return answers.map(({ status }) => status)
}

describe('one network that tries many accounts', () => {
  test('is slowed down after twenty failures, for accounts it has not tried as well', async () => {
    const address = '203.0.113.7'
    expect(new Set(await spray(20, () => address))).toEqual(new Set([422]))
    waitOf(await tryPassword(newBrowser(address), anna.email, PASSWORD))
    expect((await tryPassword(newBrowser('203.0.113.8'), anna.email, PASSWORD)).status).toBe(303)
  })

  test('includes all addresses of an IPv6 subnet', async () => {
    expect(new Set(await spray(20, (i) => `2001:db8:ffff:1::${i + 1}`))).toEqual(new Set([422]))
    waitOf(await tryPassword(newBrowser('2001:db8:ffff:1:abcd::9'), anna.email, PASSWORD))
    expect((await tryPassword(newBrowser('2001:db8:ffff:2::1'), anna.email, PASSWORD)).status).toBe(303)
  })

  test('is not reset by a right password in between', async () => {
    const address = '203.0.113.9'
    await spray(19, () => address)
    expect((await tryPassword(newBrowser(address), anna.email, PASSWORD)).status).toBe(303)
    await spray(1, () => address)
    waitOf(await tryPassword(newBrowser(address), 'another@example.com'))
  })

  test('cannot hide behind a forged header', async () => {
    const address = '203.0.113.10'
    for (let i = 0; i < 20; i++) {
      // The proxy appends the address it saw; what the client wrote before it is ignored.
      const browser = newBrowser(`198.51.100.${i}, ${address}`)
      expect((await tryPassword(browser, `hidden-${i}@example.com`)).status).toBe(422)
    }
    waitOf(await tryPassword(newBrowser(address), 'hidden@example.com'))
  })
})

test('attempts are stored without the typed address', async () => {
  await tryPassword(newBrowser(), anna.email)
  const rows = await bellhop.db.sql<{ row: string }[]>`select encode(subject, 'escape') as row from attempts`
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row).not.toContain(anna.email)
})

test('old attempts are deleted', async () => {
  await tryPassword(newBrowser(), anna.email)
  bellhop.clock.advance(24 * 60 * 60 * 1000)
  await bellhop.db.sql`select graphile_worker.add_job('sign_in.clean_up', '{}'::json)`
  await bellhop.drainJobs()
  expect(await bellhop.db.sql`select from attempts`).toHaveLength(0)
})

test('a flood of sign-ins is refused in part, and the service stays healthy', async () => {
  const flood = Array.from({ length: 300 }, (_, i) => tryPassword(newBrowser(), `flood-${i}@example.com`))
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([422, 503]))
  expect((await tryPassword(newBrowser(), anna.email, PASSWORD)).status).toBe(303)
})
