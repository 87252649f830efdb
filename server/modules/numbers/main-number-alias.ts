import { z } from 'zod'

import type { ToolSet } from '../../platform/http/route.ts'
import { CallFlowOrNone } from './flow/call-flow.ts'
import { BusinessHoursUpdate } from './hours/business-hours.ts'
import { BusinessNumber, NumberUpdate } from './schemas.ts'

/**
 * The resource was once called main number, and some of its fields had other names. For older clients, the same
 * routes exist under both namings.
 */
export interface ResourceNaming {
  path: string
  noun: string
  deprecated: boolean
  /** Of the tools that change a number; there are none for the older names. */
  toolSet?: ToolSet
  outsideSlot: string
  hours: 'business_hours' | 'opening_hours'
  Number: z.ZodType
  Update: z.ZodType<NumberUpdate>
  OutsideHours: z.ZodType<OutsideHoursBody>
  NoAnswer: z.ZodType<NoAnswerBody>
  present(number: BusinessNumber): unknown
}

type Flow = z.output<typeof CallFlowOrNone>
type OutsideHoursBody = { flow: Flow; hours?: BusinessHoursUpdate }
type NoAnswerBody = { flow: Flow; timeoutSecs?: number | null }

const outsideHours = (hours: ResourceNaming['hours']) =>
  z
    .intersection(CallFlowOrNone, z.object({ [hours]: BusinessHoursUpdate.nullish() }))
    .transform(({ [hours]: given, ...flow }) => ({ flow: flow as Flow, hours: given ?? undefined }))

const TIMEOUTS = [15, 30, 60, 300, 600, 1200, 1800, 2700, 3600]

/** What is stored for the timeouts of the older path that exist no more. */
const OLDER_TIMEOUTS = new Map([
  [10, 15],
  [20, 30],
  [40, 60],
  [50, 60],
])

const noAnswer = (allowed: number[]) =>
  z
    .intersection(CallFlowOrNone, z.object({ timeout_secs: timeoutSecs(allowed).optional() }))
    .transform(({ timeout_secs, ...flow }) => ({ flow, timeoutSecs: timeout_secs }))

const BLANK_CHARACTERS_MAX = 64

/** Null, 0 and a blank text switch the timer off. */
const timeoutSecs = (allowed: number[]) => {
  const error = `must be one of ${allowed.join(', ')}, or null`
  return z
    .union(
      [z.null(), z.string().max(BLANK_CHARACTERS_MAX).regex(/^\s*$/, { error }), z.literal([0, ...allowed])],
      { error },
    )
    .transform((value) =>
      typeof value === 'number' && value > 0 ? (OLDER_TIMEOUTS.get(value) ?? value) : null,
    )
    .meta({ description: 'How long callers wait for an employee first, in seconds; null or 0 for no limit.' })
}

export const currentNaming: ResourceNaming = {
  path: '/business_numbers',
  noun: 'business_number',
  deprecated: false,
  toolSet: 'administration',
  outsideSlot: 'outside_business_hours_config',
  hours: 'business_hours',
  Number: BusinessNumber,
  Update: NumberUpdate,
  OutsideHours: outsideHours('business_hours'),
  NoAnswer: noAnswer(TIMEOUTS),
  present: (number) => number,
}

const { outside_business_hours_config, business_hours } = BusinessNumber.shape

export const olderNaming: ResourceNaming = {
  path: '/main_numbers',
  noun: 'main_number',
  deprecated: true,
  outsideSlot: 'outside_opening_hours_config',
  hours: 'opening_hours',
  Number: BusinessNumber.omit({ outside_business_hours_config: true, business_hours: true, wait_audio: true })
    .extend({ outside_opening_hours_config: outside_business_hours_config, opening_hours: business_hours })
    .meta({ id: 'MainNumber' }),
  Update: NumberUpdate.omit({ wait_audio: true }),
  OutsideHours: outsideHours('opening_hours'),
  // The current ones too, so that what is read can be written back.
  NoAnswer: noAnswer([...OLDER_TIMEOUTS.keys(), ...TIMEOUTS].toSorted((a, b) => a - b)),
  present: (number) => ({
    ...number,
    outside_opening_hours_config: number.outside_business_hours_config,
    opening_hours: number.business_hours,
  }),
}
