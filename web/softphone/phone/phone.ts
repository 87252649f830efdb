import { readActiveCall } from '../queries.ts'
import {
  accountOf,
  callToRejoin,
  chosenDevice,
  forgetAccount,
  forgetCall,
  isSwitchedOff,
  keepBeginning,
  keepCall,
  keepDevice,
  keepSwitchedOff,
  lasts,
} from './kept.ts'
import { type Line, openLine } from './line.ts'
import { closeMicrophone, MicrophoneError, type MicrophoneProblem, openMicrophone } from './microphone.ts'
import { beTheOnlyTab } from './one-tab.ts'
import { createSpeaker } from './speaker.ts'
import {
  type CallToRejoin,
  hasCall,
  isBeginning,
  isLive,
  isTalk,
  type PhoneCall,
  type PhoneEffect,
  type PhoneInput,
  type PhoneState,
  step,
} from './state.ts'

const LIMITS = {
  /** Until credentials are asked for again that could not be had. */
  retryMs: 5_000,
  /** How often it is looked whether the credentials still last. */
  lookMs: 60_000,
  /** Of a phone that was refused, as when its credentials were taken away. */
  refusalsMax: 3,
}

/** What is to be seen of the phone. */
export interface PhoneView {
  state: PhoneState
  microphoneProblem: MicrophoneProblem | null
  /** While it is open. */
  microphone: MediaStream | null
}

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
  switchOff(): void
  /** Also takes it over from another tab. */
  switchOn(): void
  choose(kind: 'microphone' | 'speaker', id: string): Promise<void>
  canChooseSpeaker(): boolean
  onRing(listener: (call: PhoneCall) => () => void): () => void
}

const isOtherTabs = (state: PhoneState) => state.in === 'off' && state.why === 'other_tab'

let opened: { employeeId: string; phone: Phone } | undefined

/** The phone of this tab, for as long as the page lasts. */
export function phoneOf(employeeId: string): Phone {
  if (opened?.employeeId !== employeeId) opened = { employeeId, phone: openPhone(employeeId) }
  return opened.phone
}

/** Owns the line, the microphone and the speaker, and does what the state machine says. */
function openPhone(employeeId: string): Phone {
  const listeners = new Set<() => void>()
  const ringListeners = new Set<(call: PhoneCall) => () => void>()
  const speaker = createSpeaker()
  let view: PhoneView = {
    state: { in: 'off', why: 'switched_off' },
    microphoneProblem: null,
    microphone: null,
  }
  let line: Line | undefined
  let endings: (() => void)[] = []
  let opening = 0
  let refusals = 0
  let expiresAt = ''
  let retry: ReturnType<typeof setTimeout> | undefined

  function show(change: Partial<PhoneView>): void {
    view = { ...view, ...change }
    for (const tell of listeners) tell()
  }

  function take(input: PhoneInput): void {
    const next = step(view.state, input)
    show({ state: next.state })
    if (!isOtherTabs(next.state)) keepBeginning(isBeginning(next.state))
    for (const effect of next.effects) run(effect)
    if (input.on === 'registered') refusals = 0
    if (input.on === 'stopped' && input.why === 'refused') renew()
    if (input.on === 'answered') void identify()
  }

  function run(effect: PhoneEffect): void {
    switch (effect.do) {
      case 'ring':
        speaker.ring()
        endings = [...ringListeners].map((tell) => tell(effect.call))
        return
      case 'stopRinging':
        speaker.quiet()
        for (const end of endings.splice(0)) end()
        return
      case 'playRingback':
        return speaker.ringback()
      case 'stopRingback':
        return speaker.quiet()
      case 'remember':
        return keepCall(effect.kept)
      case 'forget':
        return forgetCall()
      case 'releaseMicrophone':
        return silence()
      case 'refuseSecond':
        return line?.refuseSecond()
    }
  }

  function silence(): void {
    closeMicrophone(view.microphone ?? undefined)
    speaker.hangUp()
    show({ microphone: null })
  }

  /** Undefined when there is none; then the page says why. */
  async function microphone(): Promise<MediaStream | undefined> {
    if (view.microphone) return view.microphone
    try {
      const stream = await openMicrophone(chosenDevice('microphone'))
      show({ microphone: stream, microphoneProblem: null })
      stream.getAudioTracks()[0]?.addEventListener('ended', () => show({ microphoneProblem: 'missing' }))
      return stream
    } catch (error) {
      show({ microphoneProblem: error instanceof MicrophoneError ? error.problem : 'busy' })
      return undefined
    }
  }

  /** Of a call that was dialled, only the exchange knows which it is. */
  async function identify(): Promise<void> {
    if (!hasCall(view.state) || view.state.call.id !== null) return
    const active = await readActiveCall().catch(() => null)
    if (active) take({ on: 'identified', id: active.call.id })
  }

  async function open(): Promise<void> {
    const own = ++opening
    clearTimeout(retry)
    if (!window.isSecureContext) show({ microphoneProblem: 'insecure' })
    if (!window.isSecureContext || !('RTCPeerConnection' in window))
      return take({ on: 'stopped', why: 'unsupported' })
    take({ on: 'started' })
    if (view.state.in === 'ready') take({ on: 'disconnected' })
    try {
      const account = await accountOf(employeeId)
      const kept = await callToRejoin()
      if (own !== opening) return
      expiresAt = account.expiresAt
      line = openLine(account, { input: (input) => own === opening && take(input), sound: speaker.hear })
      if (kept) rejoinWhenReady(own, kept)
    } catch {
      if (own === opening) retry = setTimeout(() => void open(), LIMITS.retryMs)
    }
  }

  function rejoinWhenReady(own: number, kept: CallToRejoin): void {
    const stop = subscribe(() => {
      if (own !== opening) return stop()
      if (view.state.in !== 'ready') return
      stop()
      void rejoin(kept)
    })
  }

  async function rejoin(kept: CallToRejoin): Promise<void> {
    const stream = await microphone()
    if (!stream || view.state.in !== 'ready') return
    take({ on: 'dialled', call: kept.call })
    line?.rejoin(kept, stream)
  }

  function shut(leave: (line: Line) => void = (open) => open.close()): void {
    opening++
    clearTimeout(retry)
    if (line) leave(line)
    line = undefined
    silence()
  }

  /** Its credentials were taken away, or their time is over: others are asked for, but not for ever. */
  function renew(): void {
    shut()
    forgetAccount()
    if (++refusals <= LIMITS.refusalsMax) void open()
  }

  const takeFromOtherTab = beTheOnlyTab(
    () => (isSwitchedOff() ? take({ on: 'stopped', why: 'switched_off' }) : void open()),
    () => {
      shut((open) => (isTalk(view.state) ? open.abandon() : open.close()))
      // A tab that was opened from another has a copy of its credentials: two phones must not be taken for one.
      forgetAccount()
      take({ on: 'stopped', why: 'other_tab' })
    },
  )

  function subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  // A page may be open for days.
  setInterval(() => {
    if (!line || isLive(view.state) || lasts(expiresAt)) return
    shut()
    void open()
  }, LIMITS.lookMs)
  void speaker.choose(chosenDevice('speaker') ?? '')

  return {
    view: () => view,
    subscribe,
    async dial(to, number) {
      const stream = await microphone()
      if (!stream || !line || isLive(view.state)) return
      take({
        on: 'dialled',
        call: { id: null, direction: 'outgoing', other: to, number: number?.number ?? null },
      })
      line.dial(to, number ? [`X-Bellhop-Number: ${number.id}`] : [], stream)
    },
    async answer() {
      const stream = await microphone()
      if (view.state.in === 'ringing' && stream) line?.answer(stream)
    },
    decline: () => line?.decline(),
    hangUp: () => line?.hangUp(),
    toggleMute: () => 'isMuted' in view.state && line?.mute(!view.state.isMuted),
    // What is asked of an exchange that is away would end the call.
    toggleHold() {
      if (!isTalk(view.state) || !view.state.isOnline) return
      if (view.state.in === 'held') line?.resume()
      else line?.hold()
    },
    press: (key) => isTalk(view.state) && view.state.isOnline && line?.press(key),
    dismiss: () => take({ on: 'dismissed' }),
    switchOff() {
      keepSwitchedOff(true)
      shut()
      take({ on: 'stopped', why: 'switched_off' })
    },
    switchOn() {
      keepSwitchedOff(false)
      refusals = 0
      if (view.state.in === 'off' && view.state.why === 'other_tab') takeFromOtherTab()
      else void open()
    },
    async choose(kind, id) {
      keepDevice(kind, id)
      if (kind === 'speaker') return speaker.choose(id)
      const before = view.microphone
      if (!before) return
      show({ microphone: null })
      const stream = await microphone()
      if (stream) await line?.speakThrough(stream)
      closeMicrophone(before)
    },
    canChooseSpeaker: speaker.canChoose,
    onRing(listener) {
      ringListeners.add(listener)
      return () => ringListeners.delete(listener)
    },
  }
}
