import type { Digit, MediaPort } from '../media/port.ts'
import type { Clock } from '../platform/clock.ts'
import type { Body, CallEvent, Ending, OutgoingCall, UserAgent } from '../sip/index.ts'
import { type Ear, openEar } from './ear.ts'
import { SIMULATOR } from './identity.ts'
import { agreeTo, heardAt, sdpOf } from './sound.ts'

/** How people behave on the phone. */
const MANNERS = {
  /** Who has heard nothing by then does not wait for a prompt. */
  expectsSoundMs: 4_000,
  /** After so much silence the other side has finished. */
  silenceMs: 1_200,
  patienceWithPromptsMs: 60_000,
  /** Who has something to do waits at least so long for an answer. */
  patienceWithRingingMs: 60_000,
}

export interface CallerParts {
  ua: UserAgent
  media: MediaPort
  clock: Clock
  /** Where the exchange is. */
  host: string
}

export interface CallPlan {
  from: string
  to: string
  /** Keys to press after the first prompt. */
  press: Digit[]
  /** What to say after that, as a WAV file. */
  say: Buffer | undefined
  /** How long to stay on the line after the last thing that happened. */
  waitMs: number
}

export interface CallReport {
  outcome: 'completed' | 'busy' | 'rejected' | 'no_answer' | 'unreachable'
  /** The status that the exchange refused with. */
  status: number | undefined
  answered: boolean
  heardSeconds: number
}

/** Calls a number as a customer would: listens, presses keys, speaks, waits and hangs up. */
export async function placeCall(parts: CallerParts, plan: CallPlan): Promise<CallReport> {
  const { ua, media, clock, host } = parts
  const created = await media.createLeg({ transport: 'rtp' })
  if (!created.ok) throw new Error(created.why)
  const { leg } = created
  const ear = await openEar(media, leg)
  const call = ua.invite(
    { to: 'trunk', trunk: SIMULATOR, number: plan.to },
    {
      from: {
        uri: { scheme: 'sip', user: plan.from, host: 'simulator', params: new Map() },
        params: new Map(),
      },
      body: sdpOf(created.sdp),
    },
  )
  let answered = false
  const ending = await new Promise<Ending>((resolve) => {
    let done = Promise.resolve()
    const patienceMs = plan.press.length > 0 || plan.say ? MANNERS.patienceWithRingingMs : 0
    let callOff = () => {}
    const handle = async (event: CallEvent) => {
      switch (event.type) {
        case 'ringing':
        case 'progress':
          callOff()
          callOff = clock.after(Math.max(plan.waitMs, patienceMs), () => call.hangUp())
          if (event.type === 'progress') await hear(event.body)
          return
        case 'answered':
          callOff()
          answered = true
          if (!event.body || !(await hear(event.body))) return call.hangUp()
          void act(parts, plan, { call, ear, leg }).then(() => call.hangUp())
          return
        case 'offer':
          return agreeTo(media, leg, host, event.offer)
        case 'ended':
          callOff()
          return resolve(event.ending)
      }
    }
    const hear = async (body: Body) =>
      (await media.setRemote(leg, { type: 'answer', sdp: heardAt(host, body) })).ok
    call.listen((event) => (done = done.then(() => handle(event)).catch(() => call.hangUp())))
  })
  await ear.close()
  const status = ending.why === 'refused' ? ending.status : undefined
  const heardSeconds = Math.round(ear.soundMs() / 100) / 10
  return { outcome: answered ? 'completed' : outcomeOf(ending), status, answered, heardSeconds }
}

interface Line {
  call: OutgoingCall
  ear: Ear
  leg: string
}

async function act(
  { media, clock }: CallerParts,
  { press, say, waitMs }: CallPlan,
  line: Line,
): Promise<void> {
  const { call, leg } = line
  if (press.length > 0) {
    await promptOver(line)
    if (call.isOver) return
    await media.sendDigits(leg, press)
  }
  if (say) {
    await promptOver(line)
    if (call.isOver) return
    await played(media, leg, say)
  }
  const until = clock.now().getTime() + waitMs
  await heardUntil(line, () => clock.now().getTime() >= until)
}

/** The other side has said something and then stopped, or says nothing at all. */
function promptOver(line: Line): Promise<void> {
  const { ear } = line
  const [soundBefore, began] = [ear.soundMs(), ear.listenedMs()]
  return heardUntil(line, () => {
    const passedMs = ear.listenedMs() - began
    if (passedMs >= MANNERS.patienceWithPromptsMs) return true
    const hasSpoken = ear.soundMs() > soundBefore
    return hasSpoken ? ear.quietMs() >= MANNERS.silenceMs : passedMs >= MANNERS.expectsSoundMs
  })
}

/** The end of the call ends it too. */
const heardUntil = ({ ear, call }: Line, holds: () => boolean) => ear.until(() => call.isOver || holds())

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

function outcomeOf(ending: Ending): CallReport['outcome'] {
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
