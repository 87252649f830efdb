import { createHash } from 'node:crypto'

import type { Dependencies } from '../../../platform/dependencies.ts'
import { fail, notFound } from '../../../platform/errors.ts'
import type { Actor } from '../../../platform/http/route.ts'
import type { Storage } from '../../../providers/storage/port.ts'
import type { FileLinks } from '../../files/index.ts'
import { type CallStep, planInboundCall, planNoAnswer } from '../flow/call-plan.ts'
import { audioKeyOf, flowAt } from '../flow/called-number.ts'
import { type NumberRow, selectNumber } from '../queries.ts'
import { recordingAnnouncementKey } from '../recording-notice/announcement-audio.ts'
import { recordingAnnouncement } from '../recording-notice/announcement-texts.ts'
import type { Speech, WalkStep, WalkThrough } from './walk-through-schemas.ts'

export type CallerSound = 'ringtone' | 'music' | 'beep'

export interface WalkThroughParts extends Dependencies<'db' | 'clock'> {
  storage: Storage
  links: FileLinks
  /** What callers hear besides speech, as WAV files. */
  callerSound(name: CallerSound): Promise<Buffer>
}

/** Everything that a caller of the number can go through, with what they hear. */
export async function readWalkThrough(
  parts: WalkThroughParts,
  { companyId }: Actor,
  numberId: string,
  when: 'now' | 'open' | 'closed',
): Promise<WalkThrough> {
  const number = (await selectNumber(parts.db.sql, companyId, numberId)) ?? fail(notFound())
  const { flow, outsideHours } = flowAt(number, when === 'now' ? parts.clock.now() : when)
  const noAnswer = planNoAnswer(number)
  const plan = listSteps(planInboundCall(number, flow), noAnswer?.next)
  return {
    hours: outsideHours ? 'closed' : 'open',
    no_answer: noAnswer && plan.positions.get(describe(noAnswer.next))!,
    steps: await presentSteps(parts, companyId, number, plan),
  }
}

/** In the order of the list, each step once; the positions are by what a step does. */
interface ListedPlan {
  steps: CallStep[]
  positions: Map<string, number>
}

/** Steps that do the same, and after which the same follows, are the same. */
const describe = (step: CallStep): string => JSON.stringify(step)

/** The flow for no answer is listed too if nothing of this flow leads to it. */
function listSteps(first: CallStep, noAnswer: CallStep | undefined): ListedPlan {
  const plan: ListedPlan = { steps: [], positions: new Map() }
  const add = (step: CallStep) => {
    const name = describe(step)
    if (plan.positions.has(name)) return
    plan.positions.set(name, plan.steps.length)
    plan.steps.push(step)
    for (const next of nextOf(step)) add(next)
  }
  add(first)
  if (noAnswer) add(noAnswer)
  return plan
}

function nextOf(step: CallStep): CallStep[] {
  switch (step.do) {
    case 'say':
      return [step.next]
    case 'menu':
      return [...step.options.map(({ next }) => next), step.otherwise]
    case 'ring':
      return step.noAnswer ? [step.noAnswer.next] : []
    case 'message':
    case 'voicemail':
    case 'hangUp':
      return []
  }
}

async function presentSteps(
  parts: WalkThroughParts,
  companyId: string,
  number: NumberRow,
  { steps, positions }: ListedPlan,
): Promise<WalkStep[]> {
  const at = (step: CallStep) => positions.get(describe(step))!
  const speech = (text: string) => speechOf(parts, companyId, number, text)
  const end = steps.length
  const presented = await Promise.all(
    steps.map(async (step): Promise<WalkStep> => {
      switch (step.do) {
        case 'say':
          return { kind: 'say', speech: await speech(step.text), next: at(step.next) }
        case 'message':
          return { kind: 'say', speech: await speech(step.text), next: end }
        case 'menu':
          return {
            kind: 'menu',
            speech: await speech(step.text),
            prompts: step.prompts,
            options: step.options.map(({ digit, next }) => ({ digit, next: at(next) })),
            otherwise: at(step.otherwise),
          }
        case 'ring':
          return {
            kind: 'ring',
            employee_ids: step.employeeIds,
            announcement: await announcementOf(parts, number),
            wait_audio_url: await soundUrl(parts, number.wait_audio),
            no_answer: step.noAnswer && {
              after_secs: step.noAnswer.afterSecs,
              next: at(step.noAnswer.next),
            },
          }
        case 'voicemail':
          return {
            kind: 'voicemail',
            speech: await speech(step.greeting),
            beep_url: await soundUrl(parts, 'beep'),
          }
        case 'hangUp':
          return { kind: 'hang_up' }
      }
    }),
  )
  return [...presented, { kind: 'hang_up' }]
}

/** As the edge would play it. */
async function speechOf(
  { db, storage, links }: WalkThroughParts,
  companyId: string,
  number: NumberRow,
  text: string,
): Promise<Speech> {
  const { key, isFinal } = await audioKeyOf(db.sql, { ...number, company_id: companyId }, text)
  const isStored = isFinal || (await storage.size(key)) !== undefined
  return { text, audio_url: isStored ? links.to(key) : null, is_stand_in: isStored && !isFinal }
}

async function announcementOf(
  { storage, links }: WalkThroughParts,
  number: NumberRow,
): Promise<Speech | null> {
  if (!number.recording_enabled || number.recording_notice !== 'announcement') return null
  const key = await recordingAnnouncementKey(storage, number.language)
  return {
    text: recordingAnnouncement(number.language),
    audio_url: key === undefined ? null : links.to(key),
    is_stand_in: false,
  }
}

/** Stored when it is first needed; a sound that changes gets another name. */
async function soundUrl(
  { storage, links, callerSound }: WalkThroughParts,
  name: CallerSound,
): Promise<string> {
  const wav = await callerSound(name)
  const key = `sounds/${createHash('sha256').update(wav).digest('hex')}.wav`
  if ((await storage.size(key)) === undefined) await storage.put(key, wav)
  return links.to(key)
}
