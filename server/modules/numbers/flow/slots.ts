import type { z } from 'zod'

import type { Tx } from '../../../platform/db/database.ts'
import { fieldError, validationFailed } from '../../../platform/errors.ts'
import { canSay } from '../../../speech/port.ts'
import { keepEmployees } from '../../employees/index.ts'
import { type BusinessHoursUpdate, mergeHours } from '../hours/business-hours.ts'
import { describeLanguage, unspeakableIn } from '../locale.ts'
import {
  nextMenuOptionIds,
  type NumberRow,
  replaceCallTargets,
  type Slot,
  updateBusinessHours,
  updateFlow,
  updateNoAnswerTimeout,
} from '../queries.ts'
import { type CallFlow, type CallFlowOrNone, promptsOf, type StoredFlow, targetsOf } from './call-flow.ts'
import { defaultGreeting } from './default-greeting.ts'

type FlowOrNone = z.output<typeof CallFlowOrNone>

/** Sets or clears the flow of a slot, and stores its call targets. */
export async function setFlow(
  tx: Tx,
  companyId: string,
  { id: numberId, language }: Pick<NumberRow, 'id' | 'language'>,
  slot: Slot,
  flow: CallFlow | null,
): Promise<void> {
  if (flow) requireSpeakable(flow, language)
  const employeeIds = flow ? await employeesRungBy(tx, companyId, flow) : []
  await replaceCallTargets(tx, companyId, numberId, slot, employeeIds)
  await updateFlow(tx, companyId, numberId, slot, flow && (await withOptionIds(tx, flow)))
}

export async function setOutsideHours(
  tx: Tx,
  companyId: string,
  number: NumberRow,
  { flow, hours, hoursField }: { flow: FlowOrNone; hours?: BusinessHoursUpdate; hoursField: string },
): Promise<void> {
  await setFlow(tx, companyId, number, 'outside_business_hours', orNull(flow))
  if (!hours) return
  await updateBusinessHours(tx, companyId, number.id, mergeHours(number.business_hours, hours, hoursField))
}

/** Clearing the slot also switches its timer off, unless a timeout is given. */
export async function setNoAnswer(
  tx: Tx,
  companyId: string,
  number: NumberRow,
  { flow, timeoutSecs }: { flow: FlowOrNone; timeoutSecs?: number | null },
): Promise<void> {
  await setFlow(tx, companyId, number, 'no_answer', orNull(flow))
  if (timeoutSecs !== undefined) await updateNoAnswerTimeout(tx, companyId, number.id, timeoutSecs)
  else if (flow.type === null) await updateNoAnswerTimeout(tx, companyId, number.id, null)
}

/** The number speaks another language: so do default greetings that nobody has changed. The other texts stay. */
export async function translateFlows(
  tx: Tx,
  companyId: string,
  { id, language: before, ...number }: NumberRow,
  language: string,
): Promise<void> {
  for (const slot of ['incoming_call', 'outside_business_hours', 'no_answer'] as const) {
    const flow = number[`${slot}_config`]
    if (flow?.type === 'VoicemailConfig' && flow.greeting === defaultGreeting(before))
      await updateFlow(tx, companyId, id, slot, { ...flow, greeting: defaultGreeting(language) })
    else if (flow) requireLanguageFor(flow, language)
  }
}

function requireSpeakable(flow: CallFlow, language: string): void {
  const wrong = promptsOf(flow).filter(({ text }) => !canSay(language, text))
  const messages = [unspeakableIn(language)]
  if (wrong.length > 0)
    throw validationFailed(Object.fromEntries(wrong.map(({ field }) => [field, messages])))
}

function requireLanguageFor(flow: StoredFlow, language: string): void {
  const wrong = promptsOf(flow).find(({ text }) => !canSay(language, text))
  if (!wrong) return
  const text = wrong.text.slice(0, QUOTED_CHARACTERS).toWellFormed()
  const message = `is ${describeLanguage(language)}, in which a text of the number cannot be spoken; change it first: ${text}`
  throw fieldError('language', message)
}

const QUOTED_CHARACTERS = 40

const orNull = (flow: FlowOrNone): CallFlow | null => (flow.type === null ? null : flow)

async function withOptionIds(tx: Tx, flow: CallFlow): Promise<StoredFlow> {
  if (flow.type !== 'PhoneMenuConfig') return flow
  const ids = await nextMenuOptionIds(tx, flow.menu_options.length)
  return { ...flow, menu_options: flow.menu_options.map((option, index) => ({ id: ids[index]!, ...option })) }
}

/** Refuses ids that are not employees of the company. Those found cannot be deleted until the flow is saved. */
async function employeesRungBy(tx: Tx, companyId: string, flow: CallFlow): Promise<string[]> {
  const targets = targetsOf(flow)
  const ids = [...new Set(targets.flatMap(({ employeeIds }) => employeeIds))]
  const known = new Set(await keepEmployees(tx, companyId, ids))
  const wrong = targets.filter(({ employeeIds }) => employeeIds.some((id) => !known.has(id)))
  if (wrong.length === 0) return ids
  const messages = ['must be ids of employees of the company']
  throw validationFailed(Object.fromEntries(wrong.map(({ field }) => [field, messages])))
}
