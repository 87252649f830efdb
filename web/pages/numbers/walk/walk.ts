import type { WalkStep, WalkThrough } from '../../../api/numbers.ts'

/** Where a walk begins: at the start of a call, or in the flow for no answer; and the key that is pressed at once. */
export interface WalkStart {
  atNoAnswer?: boolean
  digit?: string
}

/** What happened so far, as captions. */
export type Heard =
  | { is: 'speech'; text: string; isStandIn: boolean }
  | { is: 'key'; digit: string }
  | { is: 'silence' }
  | { is: 'ringing'; employeeIds: string[] }
  | { is: 'noAnswer'; afterSecs: number }
  | { is: 'beep' }

export type Walk = {
  /** Counts up with each sound, so that the same one is played again. */
  turn: number
  heard: Heard[]
  /** The announcement of recordings is heard once in a call. */
  isAnnounced: boolean
} & (
  | { in: 'step'; at: number; /** How often the menu has asked. */ asked: number; phase: Phase }
  | { in: 'end'; why: 'answered' | 'hungUp' }
)

/** Within a step: what is said before the caller can act, the tone of a voicemail, and the time for the caller. */
type Phase = 'speech' | 'beep' | 'caller'

export type WalkInput =
  /** The sound has ended. */
  | { on: 'played' }
  | { on: 'key'; digit: string }
  | { on: 'silence' }
  | { on: 'answered' }
  | { on: 'noAnswer' }
  | { on: 'hangUp' }

export function startWalk(through: WalkThrough, { atNoAnswer, digit }: WalkStart = {}): Walk {
  const empty = { turn: 0, heard: [], isAnnounced: false } satisfies Partial<Walk>
  const first = (atNoAnswer ? through.no_answer : 0) ?? 0
  const walk = enter(through, { ...empty, in: 'end', why: 'hungUp' }, first)
  return digit === undefined ? walk : stepWalk(through, walk, { on: 'key', digit })
}

/** Pure: the walk after an input. An input that does not fit the moment changes nothing, as in a call. */
export function stepWalk(through: WalkThrough, walk: Walk, input: WalkInput): Walk {
  if (walk.in === 'end') return walk
  if (input.on === 'hangUp') return { ...walk, in: 'end', why: 'hungUp' }
  const step = through.steps[walk.at]!
  switch (step.kind) {
    case 'say':
      return input.on === 'played' ? enter(through, walk, step.next) : walk
    case 'menu':
      return stepMenu(through, walk, step, input)
    case 'ring':
      return stepRing(through, walk, step, input)
    case 'voicemail':
      return input.on === 'played' ? stepVoicemail(walk) : walk
    case 'hang_up':
      return walk
  }
}

type InStep = Extract<Walk, { in: 'step' }>
type Step<Kind extends WalkStep['kind']> = Extract<WalkStep, { kind: Kind }>

function stepMenu(through: WalkThrough, walk: InStep, menu: Step<'menu'>, input: WalkInput): Walk {
  if (input.on === 'played') return { ...walk, phase: 'caller' }
  if (input.on !== 'key' && input.on !== 'silence') return walk
  const event: Heard = input.on === 'key' ? { is: 'key', digit: input.digit } : { is: 'silence' }
  const acted = { ...walk, heard: [...walk.heard, event] }
  const choice = input.on === 'key' && menu.options.find(({ digit }) => digit === input.digit)
  if (choice) return enter(through, acted, choice.next)
  if (walk.asked >= menu.prompts) return enter(through, acted, menu.otherwise)
  return { ...speak(acted, menu.speech), asked: walk.asked + 1, phase: 'speech' }
}

function stepRing(through: WalkThrough, walk: InStep, ring: Step<'ring'>, input: WalkInput): Walk {
  if (walk.phase === 'speech') return input.on === 'played' ? beginRinging(walk, ring) : walk
  if (input.on === 'answered') return { ...walk, in: 'end', why: 'answered' }
  if (input.on !== 'noAnswer' || !ring.no_answer) return walk
  const { after_secs, next } = ring.no_answer
  const event: Heard = { is: 'noAnswer', afterSecs: after_secs }
  return enter(through, { ...walk, heard: [...walk.heard, event] }, next)
}

function stepVoicemail(walk: InStep): Walk {
  if (walk.phase === 'speech')
    return { ...walk, turn: walk.turn + 1, phase: 'beep', heard: [...walk.heard, { is: 'beep' }] }
  return { ...walk, phase: 'caller' }
}

function enter(through: WalkThrough, walk: Walk, at: number): Walk {
  const step = through.steps[at]!
  const entered: InStep = { ...walk, in: 'step', at, asked: 1, phase: 'speech' }
  switch (step.kind) {
    case 'say':
    case 'menu':
    case 'voicemail':
      return speak(entered, step.speech)
    case 'ring':
      if (!step.announcement || walk.isAnnounced) return beginRinging(entered, step)
      return { ...speak(entered, step.announcement), isAnnounced: true }
    case 'hang_up':
      return { ...walk, in: 'end', why: 'hungUp' }
  }
}

const speak = (walk: InStep, { text, is_stand_in }: Step<'say'>['speech']): InStep => ({
  ...walk,
  turn: walk.turn + 1,
  heard: [...walk.heard, { is: 'speech', text, isStandIn: is_stand_in }],
})

const beginRinging = (walk: InStep, { employee_ids: employeeIds }: Step<'ring'>): InStep => ({
  ...walk,
  turn: walk.turn + 1,
  phase: 'caller',
  heard: [...walk.heard, { is: 'ringing', employeeIds }],
})

const once = (url: string | null) => ({ url, loops: false })

/** What the caller hears at this moment; undefined if it is silent, and null if the audio is not ready. */
export function soundOf(
  through: WalkThrough,
  walk: Walk,
): { url: string | null; loops: boolean } | undefined {
  if (walk.in === 'end') return undefined
  const step = through.steps[walk.at]!
  switch (step.kind) {
    case 'say':
      return once(step.speech.audio_url)
    case 'menu':
      return walk.phase === 'speech' ? once(step.speech.audio_url) : undefined
    case 'ring':
      if (walk.phase === 'speech') return once(step.announcement?.audio_url ?? null)
      return { url: step.wait_audio_url, loops: true }
    case 'voicemail':
      if (walk.phase === 'speech') return once(step.speech.audio_url)
      return walk.phase === 'beep' ? once(step.beep_url) : undefined
    case 'hang_up':
      return undefined
  }
}
