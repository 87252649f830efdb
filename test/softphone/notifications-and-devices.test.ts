import { afterAll, beforeAll, expect, test } from 'vitest'

import { startCompleteBrowser } from '../harness/browser/browser.ts'
import { type BrowserEmployee, newBrowserEmployee } from '../harness/browser/softphone.ts'
import { callIs, eventually } from '../harness/calls/call-events.ts'
import { CUSTOMER, numberWith, openPhoneSystem } from '../harness/calls/phone-system.ts'
import type { TestCompany } from '../harness/index.ts'

// Desktop notifications, and devices to choose from, which the machine need not have.
startCompleteBrowser('--use-fake-device-for-media-stream')

const { bellhop, dial } = await openPhoneSystem()
const company: TestCompany = await bellhop.newCompany()
const anna: BrowserEmployee = await newBrowserEmployee(bellhop, company, 'Anna', 700, {
  permissions: ['microphone', 'notifications'],
  whenOver: afterAll,
})
const { number } = await numberWith(bellhop, company, { type: 'TransferConfig', employee_ids: [anna.id] })

beforeAll(async () => {
  await company.api.post('/contacts', { phone: CUSTOMER, name: 'Mikkel Dahl' })
})

test('a call rings audibly, and shows the caller in a desktop notification and in the tab, until it is answered', async () => {
  await anna.page.addInitScript(`
    window.notices = []
    window.tones = new Set()
    window.OscillatorNode = class extends OscillatorNode {
      start() {
        tones.add(this.frequency.value)
        super.start()
      }
      stop() {
        tones.delete(this.frequency.value)
        super.stop()
      }
    }
    window.Notification = class extends Notification {
      constructor(title, options) {
        super(title, options)
        const notice = { title, body: options.body, is: 'new' }
        notices.push(notice)
        this.addEventListener('show', () => (notice.is = 'shown'))
        this.addEventListener('close', () => (notice.is = 'closed'))
      }
    }`)
  await anna.page.reload()
  await anna.is('ready')
  const customer = await dial(number)
  await customer.connected()
  await anna.is('ringing')
  const notices = () => anna.page.evaluate('notices')
  const ringing = () => anna.page.evaluate('[880, 1_108].filter((hz) => tones.has(hz))')
  await eventually(async () => expect(await ringing()).toEqual([880, 1_108]))
  const notice = { title: 'Incoming call', body: 'Mikkel Dahl' }
  await eventually(async () => expect(await notices()).toEqual([{ ...notice, is: 'shown' }]))
  expect(await anna.page.title()).toContain('☎ Mikkel Dahl')
  await anna.press('Answer')
  await eventually(async () => expect(await notices()).toEqual([{ ...notice, is: 'closed' }]))
  expect(await anna.page.title()).not.toContain('☎')
  expect(await ringing()).toEqual([])
  customer.hangUp()
  await callIs(company, 'ended')
})

test('the chosen microphone and speaker are used, and a muted microphone stays muted', async () => {
  await anna.is('ready')
  // The browser's own devices, each with its own tone.
  const tab = await anna.newTab(`
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wish) => (window.opened = await open(wish))`)
  await tab.press(/The phone is in another tab/)
  await tab.press('Use it here')
  await tab.is('ready')
  const customer = await dial(number)
  await customer.connected()
  await tab.press('Answer')
  await tab.press('Mute')
  await tab.press('Phone settings')
  const settings = tab.page.getByRole('dialog', { name: 'Phone settings' })
  await settings.getByLabel('Microphone', { exact: true }).selectOption({ label: 'Fake Audio Input 2' })
  const used = () =>
    tab.page.evaluate('(({ label, enabled }) => ({ label, enabled }))(opened.getAudioTracks()[0])')
  await eventually(async () => expect(await used()).toEqual({ label: 'Fake Audio Input 2', enabled: false }))
  const speaker = settings.getByLabel('Speaker')
  await speaker.selectOption({ label: 'Fake Audio Output 2' })
  const sink = await speaker.inputValue()
  await eventually(async () =>
    expect(await tab.page.evaluate('document.querySelector("audio[data-phone]").sinkId')).toBe(sink),
  )
  await tab.page.keyboard.press('Escape')
  await tab.press('Hang up')
  await customer.ended()
  await tab.page.close()
})
