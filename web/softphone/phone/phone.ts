import type { RingListener } from './audio/ringing.ts'
import { createPhoneController } from './phone-controller.ts'
import { chosenDevice, forgetAccount, isSwitchedOff, keepDevice, keepSwitchedOff } from './phone-storage.ts'
import { isConnected, isLive, isOtherTabs, type PhoneCall } from './state.ts'
import { acquireTabLock } from './tab-lock.ts'
import type { PhoneView } from './view.ts'

export interface Phone {
  view(): PhoneView
  subscribe(listener: () => void): () => void
  dial(to: string, number: { id: string; number: string } | null): Promise<void>
  answer(): Promise<void>
  decline(): void
  hangUp(): void
  toggleMute(): void
  toggleHold(): void
  press(key: string): void
  dismiss(): void
  /** The call on the phone is now this one. */
  putThrough(call: PhoneCall): void
  switchOff(): void
  /** Also takes the phone over from another tab. */
  switchOn(): void
  choose(kind: 'microphone' | 'speaker', id: string): Promise<void>
  canChooseSpeaker(): boolean
  onRing(listener: RingListener): () => void
}

let opened: { employeeId: string; phone: Phone } | undefined

/** The phone of this tab, as long as the page is open. */
export function phoneOf(employeeId: string): Phone {
  if (opened?.employeeId !== employeeId) opened = { employeeId, phone: openPhone(employeeId) }
  return opened.phone
}

/** What the user can do with the phone, in the one tab that has it. */
function openPhone(employeeId: string): Phone {
  const { display, mouthpiece, speaker, ringing, connection, state, take } = createPhoneController(employeeId)

  const takeFromOtherTab = acquireTabLock(
    () => (isSwitchedOff() ? take({ on: 'stopped', why: 'switched_off' }) : connection.open()),
    () => {
      connection.shut((line) => (isConnected(state()) ? line.abandon() : line.close()))
      // A tab that was opened from another has a copy of its credentials: they must not register as the same phone.
      forgetAccount()
      take({ on: 'stopped', why: 'other_tab' })
    },
  )
  void speaker.choose(chosenDevice('speaker') ?? '')

  return {
    view: display.view,
    subscribe: display.subscribe,
    async dial(to, number) {
      const stream = await mouthpiece.open()
      const line = connection.line()
      if (!stream || !line || isLive(state())) return
      take({
        on: 'dialled',
        call: { id: null, direction: 'outgoing', other: to, number: number?.number ?? null },
      })
      line.dial(to, number ? [`X-Bellhop-Number: ${number.id}`] : [], stream)
    },
    async answer() {
      const stream = await mouthpiece.open()
      if (state().in === 'ringing' && stream) connection.line()?.answer(stream)
    },
    decline: () => connection.line()?.decline(),
    hangUp: () => connection.line()?.hangUp(),
    toggleMute() {
      const now = state()
      if ('isMuted' in now) connection.line()?.mute(!now.isMuted)
    },
    // A request while the server is unreachable would end the call.
    toggleHold() {
      const now = state()
      if (!isConnected(now) || !now.isOnline) return
      if (now.in === 'held') connection.line()?.resume()
      else connection.line()?.hold()
    },
    press(key) {
      const now = state()
      if (isConnected(now) && now.isOnline) connection.line()?.press(key)
    },
    dismiss: () => take({ on: 'dismissed' }),
    putThrough: (call) => take({ on: 'put_through', call }),
    switchOff() {
      keepSwitchedOff(true)
      connection.shut()
      take({ on: 'stopped', why: 'switched_off' })
    },
    switchOn() {
      keepSwitchedOff(false)
      if (isOtherTabs(state())) takeFromOtherTab()
      else connection.open()
    },
    async choose(kind, id) {
      keepDevice(kind, id)
      if (kind === 'speaker') return speaker.choose(id)
      await mouthpiece.change((stream) => connection.line()?.speakThrough(stream))
    },
    canChooseSpeaker: speaker.canChoose,
    onRing: ringing.onRing,
  }
}
