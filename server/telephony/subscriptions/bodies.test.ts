import { expect, test } from 'vitest'

import { bodyText } from '../../sip/index.ts'
import { dialogInfo, withEnded } from './dialog-info.ts'
import { messageSummary } from './message-summary.ts'

test('a summary is the one of RFC 3842 §4.1, without the counts of urgent messages, which are optional', () => {
  const summary = messageSummary('sip:alice@vmail.example.com', { new: 2, old: 8 })
  expect(summary.contentType).toBe('application/simple-message-summary')
  const example =
    'Messages-Waiting: yes\r\nMessage-Account: sip:alice@vmail.example.com\r\nVoice-Message: 2/8 (0/2)\r\n'
  expect(bodyText(summary)).toBe(example.replace(' (0/2)', ''))
})

test('only new voicemails wait', () => {
  expect(bodyText(messageSummary('sip:a@b', { new: 0, old: 8 }))).toContain('Messages-Waiting: no\r\n')
})

/** Elements and attributes of a document, in order. */
const read = (xml: string) =>
  [...xml.matchAll(/<([\w-]+)((?: [\w-]+="[^"]*")*)\/?>([^<]*)/g)].map(([, name, attributes, text]) => [
    name,
    Object.fromEntries(
      [...attributes!.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    ),
    text!.trim(),
  ])

/** RFC 4235 §4.3; the tags of the dialog, which are optional, are left out: with them a phone could pick up the call. */
const EXAMPLE = `<?xml version="1.0"?>
  <dialog-info xmlns="urn:ietf:params:xml:ns:dialog-info"
               version="0" state="full"
               entity="sip:alice@example.com">
    <dialog id="as7d900as8" direction="initiator">
      <state>confirmed</state>
    </dialog>
  </dialog-info>`

test('the dialogs of an employee are written as in RFC 4235', () => {
  const document = dialogInfo('sip:alice@example.com', 0, [
    { id: 'as7d900as8', direction: 'initiator', state: 'confirmed' },
  ])
  expect(document.contentType).toBe('application/dialog-info+xml')
  expect(read(bodyText(document))).toEqual(read(EXAMPLE.replace(/\s+/g, ' ').replace(/> </g, '>\n<')))
})

test('an employee without a call has a dialog that is over, and an address is escaped', () => {
  expect(read(bodyText(dialogInfo('sip:"&<>@example.com', 7, [])))).toEqual([
    [
      'dialog-info',
      {
        xmlns: 'urn:ietf:params:xml:ns:dialog-info',
        version: '7',
        state: 'full',
        entity: 'sip:&quot;&amp;&lt;&gt;@example.com',
      },
      '',
    ],
    ['dialog', { id: 'idle' }, ''],
    ['state', {}, 'terminated'],
  ])
})

test('a dialog that has ended is listed once more', () => {
  const one = { id: '1', direction: 'recipient', state: 'confirmed' } as const
  const two = { id: '2', direction: 'initiator', state: 'early' } as const
  expect(withEnded([one, two], [two])).toEqual([{ ...one, state: 'terminated' }, two])
  expect(withEnded([], [two])).toEqual([two])
})
