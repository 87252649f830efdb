import { request } from 'node:https'

import { expect, test } from 'vitest'

import { openPage } from '../harness/browser/browser.ts'
import { newSignInEmployee, PASSWORD } from '../harness/browser/sign-in.ts'
import { microphone, phoneOf } from '../harness/browser/softphone.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { freePort } from '../harness/processes/ports.ts'
import { certificateFiles } from '../harness/sip/certificate.ts'
import { PROXIES, startProxy } from './proxy.ts'

const port = await freePort()
const origin = `https://localhost:${port}`
const { environment, tls } = await certificateFiles()
const { bellhop, dial } = await openPhoneSystem({ BELLHOP_BASE_URL: origin })

test.for(Object.entries(PROXIES))(
  'behind %s, people sign in over https and talk in the browser',
  async ([, program], { onTestFinished }) => {
    const { SIP_TLS_CERT: cert, SIP_TLS_KEY: key } = environment
    onTestFinished(await startProxy(program, { port, bellhop: new URL(bellhop.url).host, cert, key }))
    const employee = await newSignInEmployee(bellhop)
    const { number } = await numberWith(bellhop, employee.company, {
      type: 'TransferConfig',
      employee_ids: [employee.id],
    })

    const page = await openPage({ ignoreHTTPSErrors: true, permissions: ['microphone'], locale: 'en-GB' })
    onTestFinished(() => page.context().close())
    const live = page.waitForEvent('websocket', (socket) => socket.url() === `wss://localhost:${port}/cable`)
    await page.addInitScript(microphone(700))
    await page.goto(`${origin}/inbox`)
    await page.fill('#email', employee.email)
    await page.fill('#password', PASSWORD)
    await page.click('main button')
    const welcome = await (await live).waitForEvent('framereceived')
    expect(String(welcome.payload)).toContain('welcome')
    const cookies = await page.context().cookies()
    expect(cookies.filter(({ secure }) => !secure)).toEqual([])
    expect(cookies.length).toBeGreaterThan(0)

    const phone = phoneOf(page)
    await phone.is('ready')
    const customer = await dial(number)
    await customer.connected()
    await phone.is('ringing')
    await phone.press('Answer')
    await Promise.all([customer.hears(700), phone.hears(440)])
    customer.hangUp()
    await phone.is('ended')
  },
)

test.for(Object.entries(PROXIES))(
  '%s passes on bodies, and leaves it to us to refuse them',
  async ([, program], { onTestFinished }) => {
    const { SIP_TLS_CERT: cert, SIP_TLS_KEY: key } = environment
    onTestFinished(await startProxy(program, { port, bellhop: new URL(bellhop.url).host, cert, key }))
    const company = await bellhop.newCompany()

    // The largest body is ours to refuse.
    const large = await post('/api/v1/contacts', 'x'.repeat(2 * 1024 * 1024), company.key)
    expect(large).toMatchObject({ status: 413, body: { error: 'body_too_large' } })
    const small = await post(
      '/api/v1/contacts',
      JSON.stringify({ phone: '+4520304050', name: 'Åse' }),
      company.key,
    )
    expect(small).toMatchObject({ status: 201, body: { name: 'Åse' } })
  },
)

function post(path: string, body: string, key: string): Promise<{ status?: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const sent = request(origin + path, { method: 'POST', ca: tls.ca, headers }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      const isJson = response.headers['content-type']?.includes('json')
      resolve({
        ...(response.statusCode !== undefined && { status: response.statusCode }),
        // Whatever else comes is of the proxy.
        body: isJson ? JSON.parse(text) : text,
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
