import { expect, test } from 'vitest'

import { setOperator } from '../../server/modules/employees/index.ts'
import { addNumber } from '../../server/modules/numbers/index.ts'
import { decodeId } from '../../server/platform/ids.ts'
import { createDemo } from '../../server/wiring/demo.ts'
import { apiClient } from '../harness/api-client.ts'
import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { openPage } from '../harness/browser/browser.ts'
import { addSession, goWithin, openDashboard } from '../harness/browser/dashboard.ts'
import { PASSWORD } from '../harness/browser/sign-in.ts'
import { microphone } from '../harness/browser/softphone.ts'
import { newDevice, startRegisteredPhone } from '../harness/calls/edge.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'
import { newEmployee } from '../harness/employees.ts'

const PATIENCE = { timeout: 60_000 }

const { bellhop, edge } = await openPhoneSystem({ SIP_SIMULATOR: 'on', SIP_TRUNKS: '[]' })

test('in the demo, each first step ticks itself off when it has happened, and then the list is gone', async () => {
  const { apiKey, ...credentials } = await bellhop.db.tx((tx) => createDemo(tx))
  const { company, employee } = (await apiClient(bellhop.url, apiKey).get('/session')).body
  const anna = { companyId: decodeId('com', company.id)!, employeeId: decodeId('emp', employee.id)! }
  const page = await openPage({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  await page.addInitScript(microphone(700))
  await addSession(page, bellhop.url, credentials)
  await page.goto(bellhop.url)
  const list = page.getByRole('region', { name: 'Get started' })
  const done = (count: number) => list.getByText(`${count} of 5 done`).waitFor(PATIENCE)
  const phoneIs = (state: string) =>
    page.waitForSelector(`[data-phone="${state}"]`, { ...PATIENCE, state: 'attached' })
  await done(0)
  await phoneIs('ready')
  expect(await list.getByRole('link', { name: 'Connect' }).getAttribute('href')).toBe('/account/phones')
  expect(await faultsInEveryLook(page)).toEqual([])

  await list.getByRole('button', { name: 'Call me' }).click()
  await phoneIs('ringing')
  const phone = page.getByRole('region', { name: 'Phone' })
  await phone.getByText('Mikkel Dahl').waitFor(PATIENCE)
  await phone.getByRole('button', { name: 'Answer' }).click()
  await phoneIs('talking')
  await phone.getByRole('button', { name: 'Hang up' }).click()
  await goWithin(page, '/inbox')
  await done(1)

  await list.getByRole('button', { name: 'Text me' }).click()
  await done(2)
  await page.getByText('Hi! Is my bike ready?').first().waitFor(PATIENCE)

  await list.getByRole('button', { name: 'Show how' }).click()
  const how = page.getByRole('dialog', { name: 'Add your own number' })
  await how.getByText(`npx bellhop number add --company ${company.id}`).waitFor()
  await page.keyboard.press('Escape')
  await bellhop.db.tx((tx) => addNumber(tx, anna.companyId, { number: '+4578900300', name: 'Own' }))
  await done(3)

  await list.getByRole('button', { name: 'Invite' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Dan')
  await form.getByLabel('E-mail').fill('dan@nordlys.example')
  await form.getByRole('button', { name: 'Send' }).click()
  await done(4)

  const device = await newDevice(bellhop, anna)
  await (await startRegisteredPhone({ ...device, port: edge.port })).registered()
  await page.getByText('Choose a conversation').waitFor(PATIENCE)
  expect(await list.count()).toBe(0)
})

test('an empty company is told what a first real call lacks, operators with the words of the doctor', async () => {
  const { companyId } = await bellhop.newCompany({ messaging: true })
  const owner = { name: 'Olga', email: 'olga@empty.example', password: PASSWORD }
  const { id } = await bellhop.db.tx((tx) => newEmployee(tx, companyId, owner))
  const { page, complaints } = await openDashboard(bellhop, owner)
  const list = page.getByRole('region', { name: 'Get started' })
  const lacks = list.getByRole('region', { name: 'Before the first real call' })
  await lacks.getByText('No carrier is connected and ready').waitFor(PATIENCE)
  await lacks.getByText('bellhop doctor').waitFor()
  expect(await list.getByRole('listitem').first().innerText()).toContain('Add your own number')
  expect(await list.getByRole('button', { name: 'Call me' }).count()).toBe(0)
  expect(await lacks.getByText('SIP_TRUNKS').count()).toBe(0)

  await bellhop.db.tx((tx) => setOperator(tx, id, true))
  await lacks.getByRole('button', { name: 'Check again' }).click()
  await lacks.getByText('Set SIP_TRUNKS to your carriers').waitFor(PATIENCE)
  expect(await faultsInEveryLook(page)).toEqual([])

  await list.getByRole('button', { name: 'Hide this list' }).click()
  await page.getByText('Choose a conversation').waitFor(PATIENCE)
  await page.reload()
  await page.getByText('Choose a conversation').waitFor(PATIENCE)
  expect(await list.count()).toBe(0)
  expect(complaints).toEqual([])
})
