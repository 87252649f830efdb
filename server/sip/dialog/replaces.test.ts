import { describe, expect, test } from 'vitest'

import { parseAddress } from '../message/grammar/address.ts'
import { Headers } from '../message/headers.ts'
import { dialogKey } from './dialog.ts'
import { checkReplaces, readReplaces, replacesIn } from './replaces.ts'

const refused = (status: number) => ({ ok: false, status })

describe('a Replaces', () => {
  test('of RFC 3891 §6.1 names a dialog by the tag of the recipient and that of the other side', () => {
    const examples: [string, string, string, string][] = [
      [
        '98732@sip.example.com\r\n ;from-tag=r33th4x0r\r\n ;to-tag=ff87ff',
        '98732@sip.example.com',
        'ff87ff',
        'r33th4x0r',
      ],
      ['12adf2f34456gs5;to-tag=12345;from-tag=54321', '12adf2f34456gs5', '12345', '54321'],
      ['87134@171.161.34.23;to-tag=24796;from-tag=0', '87134@171.161.34.23', '24796', '0'],
    ]
    for (const [text, callId, to, from] of examples)
      expect(readReplaces(text)).toEqual({ dialog: dialogKey(callId, to, from), isEarlyOnly: false })
    expect(readReplaces('a;to-tag=1;from-tag=2;early-only')).toMatchObject({ isEarlyOnly: true })
  })

  test('must have each tag once', () => {
    for (const text of [
      '',
      'a',
      'a;to-tag=1',
      'a;from-tag=1',
      'a;to-tag=1;to-tag=2;from-tag=3',
      ';to-tag=1;from-tag=2',
    ])
      expect(readReplaces(text)).toBeUndefined()
  })

  test('is in the headers of a Refer-To as RFC 5589 §7 has it, escaped, among others', () => {
    const refer =
      '<sips:482n4z24kdg@chicago.example.com;gr=8594958?Require=replaces&Replaces=592435881734450904' +
      '%3Bto-tag%3D9m2n3wq%3Bfrom-tag%3D763231>'
    const named = replacesIn(parseAddress(refer)!.uri)
    expect(named).toBe('592435881734450904;to-tag=9m2n3wq;from-tag=763231')
    expect(readReplaces(named!)).toMatchObject({
      dialog: dialogKey('592435881734450904', '9m2n3wq', '763231'),
    })
    expect(replacesIn(parseAddress('<sip:bob@example.com?Subject=x>')!.uri)).toBeUndefined()
  })
})

describe('an INVITE with Replaces (RFC 3891 §3)', () => {
  const confirmed = { isEnded: false, isConfirmed: true, isCaller: false }
  const check = (named: typeof confirmed | undefined, ...fields: string[]) =>
    checkReplaces(new Headers().add('replaces', ...fields), () => named)
  const text = 'a;to-tag=1;from-tag=2'
  const accepted = { ok: true, dialog: dialogKey('a', '1', '2') }

  test('is accepted for a confirmed dialog, and for an early one that the recipient began', () => {
    expect(check(confirmed, text)).toEqual(accepted)
    expect(check({ ...confirmed, isConfirmed: false, isCaller: true }, text)).toEqual(accepted)
    expect(check({ ...confirmed, isConfirmed: false, isCaller: true }, `${text};early-only`)).toEqual(
      accepted,
    )
    expect(checkReplaces(new Headers(), () => undefined)).toEqual({ ok: true, dialog: undefined })
  })

  test('is refused otherwise', () => {
    expect(check(undefined, text)).toEqual(refused(481))
    expect(check({ ...confirmed, isConfirmed: false }, text)).toEqual(refused(481))
    expect(check({ ...confirmed, isEnded: true }, text)).toEqual(refused(603))
    expect(check(confirmed, `${text};early-only`)).toEqual(refused(486))
    expect(check(confirmed, 'a;to-tag=1')).toEqual(refused(400))
    expect(check(confirmed, text, text)).toEqual(refused(400))
    const withJoin = new Headers().add('replaces', text).add('join', text)
    expect(checkReplaces(withJoin, () => confirmed)).toEqual(refused(400))
  })
})
