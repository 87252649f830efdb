import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'

import { decodeId } from '../../server/platform/ids.ts'
import { faultsInEveryLook } from '../harness/browser/axe.ts'
import { type BrowserEmployee, newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import { channelsOf, findTone, toneShareInParts } from '../harness/sound/audio-analysis.ts'

const PATIENCE = { timeout: 30_000 }
const { bellhop, dial } = await openPhoneSystem()

const buttonOf = ({ phone }: BrowserEmployee, name: string) =>
  phone.getByRole('button', { name, exact: true })

/** From the next load of the page on, the messages of its live channel can be held back. */
async function holdLiveChannel(page: Page) {
  const held: (() => void)[] = []
  const texts: string[] = []
  let isHeld = false
  await page.routeWebSocket('**/cable', (client) => {
    client.connectToServer().onMessage((message) => {
      if (!isHeld) return client.send(message)
      texts.push(String(message))
      held.push(() => client.send(message))
    })
  })
  return {
    hold: () => (isHeld = true),
    /** Resolves when a message with these words is held back. */
    holds: (...words: string[]) =>
      eventually(() => expect(texts.some((text) => words.every((word) => text.includes(word)))).toBe(true)),
    release() {
      isHeld = false
      for (const send of held.splice(0)) send()
    },
  }
}

/** How often the page has requested this path from now on. */
function countReads(page: Page, path: string): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith(path)) count++
  })
  return () => count
}

test('an employee pauses the recording; a reload, a coworker and an API client see that, and the new controller resumes it', async () => {
  const company = await bellhop.newCompany()
  const anna = await newBrowserEmployee(bellhop, company, 'Anna', 700)
  const bob = await newBrowserEmployee(bellhop, company, 'Bob', 800)
  await Promise.all([anna.is('ready'), bob.is('ready')])
  const flow = { type: 'TransferConfig', employee_ids: [anna.id] }
  const { number } = await numberWith(bellhop, company, flow, { recording_enabled: true })
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await Promise.all([customer.hears(700), anna.hears(440)])
  await anna.says('Recording')
  const { id } = await callIs(company, 'bridged')

  await anna.press('Pause recording')
  await anna.says('Recording paused')
  expect((await company.api.get(`/calls/${id}/recording`)).body).toEqual({ state: 'paused' })
  customer.say(500)
  await anna.hears(500)
  const channel = await holdLiveChannel(anna.page)
  await anna.page.reload()
  await anna.is('talking')
  await anna.says('Recording paused')
  expect(await faultsInEveryLook(anna.page)).toEqual([])

  // What an API client does is shown when the live channel says so, and not by chance.
  const { api } = await bellhop.keyFor(decodeId('emp', anna.id)!)
  customer.say(440)
  await anna.hears(440)
  // What it reads after the reload must not answer only now.
  await anna.page.waitForLoadState('networkidle')
  const reads = countReads(anna.page, `/calls/${id}/recording`)
  channel.hold()
  await api.post(`/calls/${id}/recording/resume`)
  await channel.holds('call_update', id)
  expect(await buttonOf(anna, 'Resume recording').isVisible()).toBe(true)
  expect(reads()).toBe(0)
  channel.release()
  await buttonOf(anna, 'Pause recording').waitFor(PATIENCE)
  expect(reads()).toBeGreaterThan(0)
  await api.post(`/calls/${id}/recording/pause`)
  await buttonOf(anna, 'Resume recording').waitFor(PATIENCE)
  customer.say(500)
  await anna.hears(500)

  await anna.press('Transfer')
  await anna.phone.getByRole('button', { name: /^Bob/ }).click(PATIENCE)
  await bob.is('ringing')
  await bob.press('Answer')
  await anna.hears(800)
  // The coworker sees it, and cannot change it yet.
  await bob.says('Recording paused')
  await bob.says('You are talking to Anna')
  expect(await buttonOf(bob, 'Resume recording').count()).toBe(0)
  await anna.press('Complete the transfer')
  await Promise.all([customer.hears(800), bob.hears(500)])
  customer.say(600)
  await bob.hears(600)
  await bob.press('Resume recording')
  await buttonOf(bob, 'Pause recording').waitFor(PATIENCE)
  await Promise.all([customer.hears(800), bob.hears(600)])
  await customer.hears(800)
  await bob.press('Hang up')
  await customer.ended()
  await eventually(async () => expect(await bob.phone.getByText('Recording').count()).toBe(0))

  const { recording_url } = await callIs(company, 'ended')
  const [left, right] = channelsOf(Buffer.from(await (await fetch(recording_url)).arrayBuffer()))
  expect(findTone(left!, 600)).toBeGreaterThan(0)
  expect(findTone(right!, 800)).toBeGreaterThan(0)
  expect(toneShareInParts(left!, 500)).toBeLessThan(0.02)
})

test('a call that is not recorded has nothing to pause', async () => {
  const company = await bellhop.newCompany()
  const anna = await newBrowserEmployee(bellhop, company, 'Anna', 700)
  await anna.is('ready')
  const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  await anna.press('Answer')
  await anna.hears(440)
  await callIs(company, 'bridged')
  expect(await anna.phone.getByText('Recording').count()).toBe(0)
})
