import { describe, expect, test } from 'vitest'

import type { PhoneCall, PhoneState } from '../../web/softphone/phone/state.ts'
import { statusOf, type StatusSources } from '../../web/softphone/status/status.ts'
import { dayOf, nextAt, tomorrowMorning } from '../../web/softphone/status/until.ts'

const NOW = Date.parse('2026-05-04T12:00:00Z')
const LATER = '2026-05-04T19:00:00.000Z'
const call: PhoneCall = { id: 'cal_1', direction: 'incoming', other: '+4520112233', number: '+4578900100' }
const connected = { call, since: NOW, isMuted: false, isOnline: true, isHeard: true }

const employee = { status: 'available', do_not_disturb: false, do_not_disturb_expires_at: null } as const
const undisturbed = {
  status: 'do_not_disturb',
  do_not_disturb: true,
  do_not_disturb_expires_at: LATER,
} as const

function statusWith(state: PhoneState, more: Partial<StatusSources> = {}) {
  const phone = { state, microphoneProblem: null }
  return statusOf({ phone, employee, isOffline: false, now: NOW, ...more })
}

const READY: PhoneState = { in: 'ready' }
const DO_NOT_DISTURB = { is: 'do_not_disturb', doNotDisturb: { until: LATER } }

describe('the status of an employee', () => {
  test('is ready only if the phone and the server say so', () => {
    expect(statusWith(READY)).toEqual({ is: 'ready', doNotDisturb: null })
    expect(statusWith(READY, { employee: undefined }).is).toBe('connecting')
    expect(statusWith({ in: 'connecting', isLost: false }).is).toBe('connecting')
  })

  test('is do not disturb until its time is over, also before the server says that it is', () => {
    expect(statusWith(READY, { employee: undisturbed })).toEqual(DO_NOT_DISTURB)
    expect(statusWith(READY, { employee: undisturbed, now: Date.parse(LATER) }).is).toBe('ready')
    const forever = { ...undisturbed, do_not_disturb_expires_at: null }
    expect(statusWith(READY, { employee: forever })).toEqual({
      is: 'do_not_disturb',
      doNotDisturb: { until: null },
    })
  })

  test.each<PhoneState>([
    { in: 'dialling', call, isOnline: true },
    { in: 'talking', ...connected },
    { in: 'held', ...connected, isOnline: false },
  ])('is on a call while the phone is $in, and still names do not disturb', (state) => {
    const status = { is: 'on_call', doNotDisturb: { until: LATER } }
    expect(statusWith(state, { employee: undisturbed, isOffline: true })).toEqual(status)
  })

  test('is on a call, or ringing, at another phone too', () => {
    expect(statusWith(READY, { employee: { ...employee, status: 'on_call' } }).is).toBe('on_call')
    const off: PhoneState = { in: 'off', why: 'switched_off' }
    expect(statusWith(off, { employee: { ...employee, status: 'ringing' } }).is).toBe('ringing')
    expect(statusWith({ in: 'ringing', call, isOnline: true }).is).toBe('ringing')
  })

  test('is offline without a connection, whatever was known before', () => {
    const isOffline = { isOffline: true }
    expect(statusWith({ in: 'connecting', isLost: true }, { employee: undisturbed, ...isOffline }).is).toBe(
      'offline',
    )
    expect(statusWith({ in: 'ended', call, why: 'connection', isOnline: false }, isOffline).is).toBe(
      'offline',
    )
    expect(statusWith(READY, isOffline).is).toBe('offline')
    expect(statusWith({ in: 'off', why: 'other_tab' }, isOffline).is).toBe('offline')
  })

  test('says why the phone is off, unless another phone rings', () => {
    const loggedOut = { employee: { ...employee, status: 'logged_out' as const } }
    expect(statusWith({ in: 'off', why: 'switched_off' }, loggedOut).is).toBe('switched_off')
    expect(statusWith({ in: 'off', why: 'switched_off' }).is).toBe('ready_elsewhere')
    expect(statusWith({ in: 'off', why: 'other_tab' }).is).toBe('other_tab')
    expect(statusWith({ in: 'off', why: 'other_tab' }, { employee: undisturbed })).toEqual(DO_NOT_DISTURB)
  })

  test('names a missing microphone, but not to somebody whom no call reaches anyway', () => {
    const phone = { state: READY, microphoneProblem: 'denied' as const }
    expect(statusWith(READY, { phone }).is).toBe('no_microphone')
    expect(statusWith(READY, { phone, employee: undisturbed }).is).toBe('do_not_disturb')
  })
})

describe('the end of do not disturb', () => {
  // In the time zone of the machine, as in the browser.
  const noon = new Date(2026, 4, 31, 12, 0)

  test('is today, or tomorrow if the time is over', () => {
    expect(nextAt('21:00', noon)).toEqual(new Date(2026, 4, 31, 21, 0))
    expect(nextAt('12:00', noon)).toEqual(new Date(2026, 5, 1, 12, 0))
    expect(nextAt('24:00', noon)).toEqual(new Date(2026, 5, 1, 0, 0))
    expect(tomorrowMorning(noon)).toEqual(new Date(2026, 5, 1, 8, 0))
  })

  test('is named with its day, unless that is today', () => {
    expect(dayOf(new Date(2026, 4, 31, 23, 59), noon)).toBe('today')
    expect(dayOf(new Date(2026, 5, 1, 0, 0), noon)).toBe('tomorrow')
    expect(dayOf(new Date(2026, 5, 2, 0, 0), noon)).toBe('later')
  })
})
