import type { Digit, MediaPort } from '../media/port.ts'
import { inBackground } from '../platform/background.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import {
  type Body,
  type CallEndReason,
  type CallEvent,
  type OutgoingCall,
  sdpBody,
  type UserAgent,
} from '../sip/index.ts'
import { SIMULATOR } from './identity.ts'
import { answerReinvite, withConnectionAddress } from './simulated-sdp.ts'
import { openSoundDetector, type SoundDetector } from './sound-detector.ts'

/** How a simulated caller behaves. */
const MANNERS = {
  /** After this much silence at the start, they do not wait for a prompt. */
  expectsSoundMs: 4_000,
  /** After this much silence the prompt is over. */
  silenceMs: 1_200,
  patienceWithPromptsMs: 60_000,
  /** With something to press or say, they wait at least this long for an answer. */
  patienceWithRingingMs: 60_000,
}

export interface CallerParts {
  ua: UserAgent
  media: MediaPort
  clock: Clock
  log: Log
  /** The address of Bellhop. */
  host: string
}

export interface CallPlan {
  from: string
  to: string
  /** DTMF digits to send after the first prompt. */
  press: Digit[]
  /** What to say after that, as a WAV file, which may still be synthesised while the phone rings. */
  say: Buffer | Promise<Buffer> | undefined
  /** How long to stay in the call after the last action. */
  waitMs: number
}

export interface CallReport {
  outcome: 'completed' | 'busy' | 'rejected' | 'no_answer' | 'unreachable'
  /** The status with which the call was refused. */
  status: number | undefined
  answered: boolean
  heardSeconds: number
}

/** Calls a number as a customer would: listens, sends digits, speaks, waits and hangs up. */
export async function placeSimulatedCall(parts: CallerParts, plan: CallPlan): Promise<CallReport> {
  const { ua, media } = parts
  const created = await media.createLeg({ transport: 'rtp' })
  if (!created.ok) throw new Error(created.why)
  const { leg } = created
  const ear = await openSoundDetector(media, leg)
  // RFC 3323 §4.1.1.3
  const host = plan.from === 'anonymous' ? 'anonymous.invalid' : 'simulator'
  const uri = { scheme: 'sip', user: plan.from, host, params: new Map() } as const
  const call = ua.invite(
    { to: 'trunk', trunk: SIMULATOR, number: plan.to },
    { from: { uri, params: new Map() }, body: sdpBody(created.sdp) },
  )
  const ending = await takePart(parts, plan, { call, ear, leg })
  await ear.close()
  const answered = call.isAnswered
  return {
    outcome: answered ? 'completed' : outcomeOf(ending),
    status: ending.why === 'refused' ? ending.status : undefined,
    answered,
    heardSeconds: Math.round(ear.soundMs() / 100) / 10,
  }
}

/** From the first ringing to the end of the call. */
function takePart(parts: CallerParts, plan: CallPlan, line: SimulatedLeg): Promise<CallEndReason> {
  const { media, clock, host } = parts
  const { call, leg } = line
  const hasPlans = plan.press.length > 0 || plan.say !== undefined
  const ringMs = Math.max(plan.waitMs, hasPlans ? MANNERS.patienceWithRingingMs : 0)
  let callOff: (() => void) | undefined

  async function hear(body: Body | undefined): Promise<void> {
    const set =
      body && (await media.setRemote(leg, { type: 'answer', sdp: withConnectionAddress(host, body) }))
    if (!set?.ok) call.hangUp()
  }

  async function handle(event: CallEvent): Promise<void> {
    switch (event.type) {
      case 'ringing':
      case 'progress':
        callOff ??= clock.after(ringMs, () => call.hangUp())
        return event.type === 'progress' ? hear(event.body) : undefined
      case 'answered':
        callOff?.()
        await hear(event.body)
        // The call goes on meanwhile.
        return inBackground(
          parts.log,
          'act as a simulated caller',
          act(parts, plan, line).finally(() => call.hangUp()),
        )
      case 'offer':
        return answerReinvite(media, leg, host, event.offer)
    }
  }

  return new Promise((resolve) => {
    let done = Promise.resolve()
    call.listen((event) => {
      if (event.type !== 'ended') done = done.then(() => handle(event)).catch(() => call.hangUp())
      else {
        callOff?.()
        resolve(event.ending)
      }
    })
  })
}

interface SimulatedLeg {
  call: OutgoingCall
  ear: SoundDetector
  leg: string
}

async function act(
  { media, clock }: CallerParts,
  { press, say, waitMs }: CallPlan,
  line: SimulatedLeg,
): Promise<void> {
  const { call, leg } = line
  if (press.length > 0) {
    await promptOver(line)
    if (call.isOver) return
    await media.sendDigits(leg, press)
  }
  if (say) {
    await promptOver(line)
    const wav = await say
    if (call.isOver) return
    await played(media, leg, wav)
  }
  const until = clock.now().getTime() + waitMs
  await heardUntil(line, () => clock.now().getTime() >= until)
}

/** The other side has spoken and stopped, or says nothing at all. */
function promptOver(line: SimulatedLeg): Promise<void> {
  const { ear } = line
  const [soundBefore, began] = [ear.soundMs(), ear.listenedMs()]
  return heardUntil(line, () => {
    const passedMs = ear.listenedMs() - began
    if (passedMs >= MANNERS.patienceWithPromptsMs) return true
    const hasSpoken = ear.soundMs() > soundBefore
    return hasSpoken ? ear.quietMs() >= MANNERS.silenceMs : passedMs >= MANNERS.expectsSoundMs
  })
}

/** Also resolves when the call ends. */
const heardUntil = ({ ear, call }: SimulatedLeg, holds: () => boolean) =>
  ear.until(() => call.isOver || holds())

function played(media: MediaPort, leg: string, wav: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = media.listen((event) => {
      const isOver = event.on === 'leg.closed' || event.on === 'play.ended'
      if (!isOver || event.leg !== leg) return
      stop()
      resolve()
    })
    media.play(leg, { wav }).catch(reject)
  })
}

function outcomeOf(ending: CallEndReason): CallReport['outcome'] {
  switch (ending.why) {
    case 'refused':
      return REFUSALS[ending.status] ?? (ending.status >= 500 ? 'unreachable' : 'rejected')
    case 'cancelled':
    case 'hungUp':
      return 'no_answer'
    case 'lost':
      return 'unreachable'
  }
}

const REFUSALS: Record<number, CallReport['outcome']> = {
  408: 'no_answer',
  480: 'no_answer',
  486: 'busy',
  487: 'no_answer',
  600: 'busy',
  603: 'rejected',
}
