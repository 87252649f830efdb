import { z } from 'zod'

import { Id } from '../../../platform/ids.ts'
import { requiredText } from '../../../platform/schemas.ts'
import { hasWords } from '../../../speech/port.ts'

export const SPOKEN_CHARACTERS_MAX = 4_000
const EMPLOYEES_MAX = 1_000
/** The digits 1 to 9. */
const MENU_OPTIONS_MAX = 9

export const SpokenText = requiredText(SPOKEN_CHARACTERS_MAX).refine(hasWords, {
  error: 'must have a letter or a digit, or there is nothing to speak',
  // A blank text already has its own error.
  when: ({ issues }) => issues.length === 0,
})
const EmployeeIds = z
  .array(Id('emp'))
  .min(1, { error: 'must name at least one employee' })
  .max(EMPLOYEES_MAX)
  .transform((ids) => [...new Set(ids)])
  .meta({ description: 'The employees whose phones ring.' })

const digit = z
  .string()
  .regex(/^[1-9]$/, { error: 'must be one key from 1 to 9' })
  .meta({ description: 'The key that the caller presses.' })
const prompt = SpokenText.meta({ description: 'What the caller hears after the key.' })
const welcome = SpokenText.meta({ description: 'What the caller hears first.' })
const action = <T extends string>(type: T, what: string) =>
  z.literal(type).meta({ description: `${type} ${what}.` })

const MenuOption = z.discriminatedUnion('action_type', [
  z.object({ digit, action_type: action('TransferConfig', 'rings employees'), employee_ids: EmployeeIds }),
  z.object({
    digit,
    action_type: action('WelcomeTransferConfig', 'speaks, then rings employees'),
    prompt,
    employee_ids: EmployeeIds,
  }),
  z.object({ digit, action_type: action('VoicemailConfig', 'speaks, then records a voicemail'), prompt }),
  z.object({ digit, action_type: action('PlayMessageConfig', 'speaks, then hangs up'), prompt }),
])
type MenuOption = z.output<typeof MenuOption>

const MenuOptions = z
  .array(MenuOption)
  .min(1, { error: 'must have at least one option' })
  .max(MENU_OPTIONS_MAX)
  .refine((options) => new Set(options.map((option) => option.digit)).size === options.length, {
    error: 'must not use a digit twice',
  })
  .meta({ description: 'What each key does.' })

const message = SpokenText.meta({ description: 'What the caller hears before the end.' })
const greeting = SpokenText.meta({ description: 'What the caller hears before the tone.' })

const flows = [
  z.object({
    type: action('WelcomeTransferConfig', 'speaks, then rings employees'),
    welcome,
    employee_ids: EmployeeIds,
  }),
  z.object({ type: action('TransferConfig', 'rings employees'), employee_ids: EmployeeIds }),
  z.object({ type: action('RejectConfig', 'speaks, then hangs up'), message }),
  z.object({ type: action('VoicemailConfig', 'speaks, then records a voicemail'), greeting }),
  z.object({
    type: action('PhoneMenuConfig', 'speaks, then lets the caller choose by key'),
    welcome,
    menu_options: MenuOptions,
  }),
] as const

const unknownType = (types: string) => ({
  error: ({ code }: { code?: string }) => (code === 'invalid_union' ? `must be one of ${types}` : undefined),
})
const TYPES = flows.map((flow) => flow.shape.type.value).join(', ')

/** What happens to a call; the same for each of the three routing slots. */
export const CallFlow = z.discriminatedUnion('type', flows, unknownType(TYPES))
/** With uuids in place of public ids. */
export type CallFlow = z.output<typeof CallFlow>

/** For the slots that may be empty: a null type clears them. */
export const CallFlowOrNone = z.discriminatedUnion(
  'type',
  [...flows, z.object({ type: z.null().meta({ description: 'Null removes it.' }) })],
  unknownType(`${TYPES}, or null`),
)

type Menu = Extract<CallFlow, { type: 'PhoneMenuConfig' }>

/** As stored: each option of a menu has its own id. */
export type StoredFlow =
  | Exclude<CallFlow, Menu>
  | (Omit<Menu, 'menu_options'> & { menu_options: (MenuOption & { id: number })[] })

const AudioUrl = z.string().nullable().meta({ description: 'Null while the audio is being made.' })

/** As clients read it: each text with its audio. */
export const ReadableFlow = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('WelcomeTransferConfig'),
    welcome: z.string(),
    welcome_audio_url: AudioUrl,
    employee_ids: z.array(Id('emp')),
  }),
  z.object({ type: z.literal('TransferConfig'), employee_ids: z.array(Id('emp')) }),
  z.object({ type: z.literal('RejectConfig'), message: z.string(), message_audio_url: AudioUrl }),
  z.object({ type: z.literal('VoicemailConfig'), greeting: z.string(), greeting_audio_url: AudioUrl }),
  z.object({
    type: z.literal('PhoneMenuConfig'),
    welcome: z.string(),
    welcome_audio_url: AudioUrl,
    menu_options: z.array(
      z.object({
        id: z.int(),
        digit: z.string(),
        action_type: z.enum(MenuOption.options.map((option) => option.shape.action_type.value)),
        prompt: z.string().nullable(),
        prompt_audio_url: AudioUrl,
        employee_ids: z.array(Id('emp')),
      }),
    ),
  }),
])
type ReadableFlow = z.output<typeof ReadableFlow>

/** The call targets of each step, by field. */
export function targetsOf(flow: CallFlow): { field: string; employeeIds: string[] }[] {
  switch (flow.type) {
    case 'TransferConfig':
    case 'WelcomeTransferConfig':
      return [{ field: 'employee_ids', employeeIds: flow.employee_ids }]
    case 'PhoneMenuConfig':
      return flow.menu_options.map((option, index) => ({
        field: `menu_options.${index}.employee_ids`,
        employeeIds: 'employee_ids' in option ? option.employee_ids : [],
      }))
    case 'RejectConfig':
    case 'VoicemailConfig':
      return []
  }
}

export interface FlowPrompt {
  /** As validation errors name it. */
  field: string
  /** The same for as long as the text has the same purpose, whatever else changes in the call flow. */
  place: string
  text: string
}

/** Every text that a step of the call flow speaks, the one it begins with first. */
export function promptsOf(flow: CallFlow | StoredFlow): FlowPrompt[] {
  const prompt = (field: string, text: string) => ({ field, place: `${flow.type} ${field}`, text })
  switch (flow.type) {
    case 'TransferConfig':
      return []
    case 'WelcomeTransferConfig':
      return [prompt('welcome', flow.welcome)]
    case 'RejectConfig':
      return [prompt('message', flow.message)]
    case 'VoicemailConfig':
      return [prompt('greeting', flow.greeting)]
    case 'PhoneMenuConfig':
      return [prompt('welcome', flow.welcome), ...flow.menu_options.flatMap(promptOfOption)]
  }
}

/** The text that callers hear first; undefined if the call flow begins by ringing employees. */
export const openingTextOf = (flow: StoredFlow): string | undefined => promptsOf(flow)[0]?.text

function promptOfOption(option: MenuOption, index: number): FlowPrompt[] {
  if (!('prompt' in option)) return []
  const { digit, action_type, prompt: text } = option
  return [
    { field: `menu_options.${index}.prompt`, place: `PhoneMenuConfig ${digit} ${action_type} prompt`, text },
  ]
}

export function presentFlow(flow: StoredFlow, urlOf: (text: string) => string | null): ReadableFlow {
  switch (flow.type) {
    case 'TransferConfig':
      return flow
    case 'WelcomeTransferConfig':
      return { ...flow, welcome_audio_url: urlOf(flow.welcome) }
    case 'RejectConfig':
      return { ...flow, message_audio_url: urlOf(flow.message) }
    case 'VoicemailConfig':
      return { ...flow, greeting_audio_url: urlOf(flow.greeting) }
    case 'PhoneMenuConfig':
      return {
        ...flow,
        welcome_audio_url: urlOf(flow.welcome),
        menu_options: flow.menu_options.map((option) => {
          const prompt = 'prompt' in option ? option.prompt : null
          const employee_ids = 'employee_ids' in option ? option.employee_ids : []
          return { ...option, prompt, prompt_audio_url: prompt && urlOf(prompt), employee_ids }
        }),
      }
  }
}
