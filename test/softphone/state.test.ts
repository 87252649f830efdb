import { describe, expect, test } from 'vitest'

import { type PhoneCall, type PhoneInput, type PhoneState, step } from '../../web/softphone/phone/state.ts'

const call: PhoneCall = { id: 'cal_1', direction: 'incoming', other: '+4520112233', number: '+4578900100' }
const dialled: PhoneCall = { ...call, id: null, direction: 'outgoing' }

/** The state of a phone after all of these events, and its effects on the way. */
function after(...inputs: PhoneInput[]) {
  let state: PhoneState = { in: 'off', why: 'switched_off' }
  const done: string[] = []
  for (const input of inputs) {
    const next = step(state, input)
    state = next.state
    done.push(...next.effects.map((effect) => effect.do))
  }
  return { state, done }
}

const ready: PhoneInput[] = [{ on: 'started' }, { on: 'registered' }]
const ringing: PhoneInput[] = [...ready, { on: 'rang', call }]
const talking: PhoneInput[] = [...ringing, { on: 'answered', at: 5_000 }]

describe('a phone', () => {
  test('is ready once it is connected and registered, and off when it is switched off', () => {
    expect(after({ on: 'started' }).state).toEqual({ in: 'connecting', isLost: false })
    expect(after(...ready).state).toEqual({ in: 'ready' })
    expect(after(...ready, { on: 'disconnected' }).state).toEqual({ in: 'connecting', isLost: true })
    expect(after(...ready, { on: 'stopped', why: 'other_tab' }).state).toEqual({
      in: 'off',
      why: 'other_tab',
    })
  })

  test('shows and remembers the customer to whom a coworker has put it through', () => {
    const internal: PhoneCall = { ...call, id: 'ica_1', other: '101', number: null }
    const consulted: PhoneInput[] = [...ready, { on: 'rang', call: internal }, { on: 'answered', at: 5_000 }]
    expect(after(...consulted, { on: 'put_through', call })).toEqual({
      state: { in: 'talking', call, since: 5_000, isMuted: false, isOnline: true, isHeard: true },
      done: ['ring', 'stopRinging', 'remember', 'remember'],
    })
    expect(after(...ready, { on: 'put_through', call }).state).toEqual({ in: 'ready' })
  })

  test('rings until somebody answers, and remembers the call for a page that is reloaded', () => {
    expect(after(...talking)).toEqual({
      state: { in: 'talking', call, since: 5_000, isMuted: false, isOnline: true, isHeard: true },
      done: ['ring', 'stopRinging', 'remember'],
    })
  })

  test('is ready again without a message when a caller hangs up, and says so when a coworker answers', () => {
    const { state, done } = after(...ringing, { on: 'ended', why: 'hung_up' })
    expect(state).toEqual({ in: 'ready' })
    const elsewhere = after(...ringing, { on: 'ended', why: 'elsewhere' })
    expect(elsewhere.state).toEqual({ in: 'ended', call, why: 'elsewhere', isOnline: true })
    expect(elsewhere.done).toEqual(done)
    expect(done).toEqual(['ring', 'stopRinging', 'forget', 'releaseMicrophone'])
  })

  test('says why a call that was dialled failed, and then is ready', () => {
    const busy: PhoneInput[] = [...ready, { on: 'dialled', call: dialled }, { on: 'ended', why: 'busy' }]
    expect(after(...busy).state).toEqual({ in: 'ended', call: dialled, why: 'busy', isOnline: true })
    expect(after(...busy, { on: 'dismissed' }).state).toEqual({ in: 'ready' })
  })

  test('plays ringback until the other end sends early media', () => {
    const rings: PhoneInput[] = [...ready, { on: 'dialled', call: dialled }, { on: 'rings_there' }]
    expect(after(...rings, { on: 'sounds_there' }).done).toEqual(['playRingback', 'stopRingback'])
  })

  test('remembers a call that was dialled by the id that the edge sends', () => {
    const up: PhoneInput[] = [...ready, { on: 'dialled', call: dialled }, { on: 'answered', at: 1 }]
    const { state, done } = after(...up, { on: 'identified', id: 'cal_9' })
    expect(state).toMatchObject({ in: 'talking', call: { id: 'cal_9' }, since: 1 })
    expect(done).toEqual(['stopRingback', 'remember', 'remember'])
  })

  test('leaves a conversation to the tab that takes the phone over, and forgets it when switched off', () => {
    const left = after(...talking, { on: 'stopped', why: 'other_tab' }).done
    expect(left.slice(3)).toEqual(['releaseMicrophone'])
    const off = after(...talking, { on: 'stopped', why: 'switched_off' }).done
    expect(off.slice(3)).toEqual(['forget', 'releaseMicrophone'])
  })

  test('mutes and holds independently', () => {
    const both: PhoneInput[] = [...talking, { on: 'muted', isMuted: true }, { on: 'held' }]
    expect(after(...both).state).toMatchObject({ in: 'held', isMuted: true })
    expect(after(...both, { on: 'resumed' }).state).toMatchObject({ in: 'talking', isMuted: true })
  })

  test('refuses a second call, and the first continues', () => {
    const { state, done } = after(...talking, { on: 'rang', call: { ...call, id: 'cal_2' } })
    expect(state).toMatchObject({ in: 'talking', call })
    expect(done.at(-1)).toBe('refuseSecond')
  })

  test('keeps its conversation without a connection, but loses a call that only rings', () => {
    const lost = after(...talking, { on: 'disconnected' })
    expect(lost.state).toMatchObject({ in: 'talking', isOnline: false })
    expect(lost.done).not.toContain('releaseMicrophone')
    expect(after(...talking, { on: 'disconnected' }, { on: 'registered' }).state).toMatchObject({
      isOnline: true,
    })
    expect(after(...ringing, { on: 'disconnected' })).toEqual({
      state: { in: 'ended', call, why: 'connection', isOnline: false },
      done: ['ring', 'stopRinging', 'forget', 'releaseMicrophone'],
    })
  })

  test('says that there is no audio, and ends a call that the edge has lost', () => {
    const quiet: PhoneInput[] = [...talking, { on: 'heard', isHeard: false }]
    expect(after(...quiet).state).toMatchObject({ in: 'talking', isHeard: false })
    expect(after(...quiet, { on: 'heard', isHeard: true }).state).toMatchObject({ isHeard: true })
    const { state, done } = after(...quiet, { on: 'ended', why: 'gone' })
    expect(state).toEqual({ in: 'ended', call, why: 'gone', isOnline: true })
    expect(done.slice(-2)).toEqual(['forget', 'releaseMicrophone'])
  })

  test('reconnects after a call that ended while it was offline', () => {
    const { state } = after(
      ...talking,
      { on: 'disconnected' },
      { on: 'ended', why: 'hung_up' },
      { on: 'dismissed' },
    )
    expect(state).toEqual({ in: 'connecting', isLost: true })
  })

  test('leaves nothing running when it is switched off during a call', () => {
    const { state, done } = after(...talking, { on: 'stopped', why: 'switched_off' })
    expect(state).toEqual({ in: 'off', why: 'switched_off' })
    expect(done.slice(-2)).toEqual(['forget', 'releaseMicrophone'])
  })

  test('ignores events that are impossible in its state', () => {
    const impossible: PhoneInput[] = [
      { on: 'answered', at: 1 },
      { on: 'held' },
      { on: 'muted', isMuted: true },
      { on: 'ended', why: 'busy' },
      { on: 'dismissed' },
    ]
    for (const input of impossible) {
      expect(step({ in: 'ready' }, input)).toEqual({ state: { in: 'ready' }, effects: [] })
      const off: PhoneState = { in: 'off', why: 'refused' }
      expect(step(off, input)).toEqual({ state: off, effects: [] })
    }
    const { state } = after(...talking, { on: 'dialled', call: dialled })
    expect(state).toMatchObject({ in: 'talking', call })
  })
})
