import type { Flow, FlowInput, SpokenKind } from '../../../api/numbers.ts'

export const FLOW_TYPES = [
  'TransferConfig',
  'WelcomeTransferConfig',
  'PhoneMenuConfig',
  'VoicemailConfig',
  'RejectConfig',
] as const
export const MENU_ACTIONS = [
  'TransferConfig',
  'WelcomeTransferConfig',
  'VoicemailConfig',
  'PlayMessageConfig',
] as const

export const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

export interface OptionDraft {
  digit: string
  action: (typeof MENU_ACTIONS)[number]
  prompt: string
  employeeIds: string[]
}

/** A call flow while it is edited: inputs are kept when another type is tried. */
export interface FlowDraft {
  type: (typeof FLOW_TYPES)[number] | 'none'
  text: string
  employeeIds: string[]
  options: OptionDraft[]
}

export function draftOf(flow: Flow | null): FlowDraft {
  const empty: FlowDraft = { type: flow?.type ?? 'none', text: '', employeeIds: [], options: [] }
  switch (flow?.type) {
    case undefined:
      return empty
    case 'TransferConfig':
      return { ...empty, employeeIds: flow.employee_ids }
    case 'WelcomeTransferConfig':
      return { ...empty, text: flow.welcome, employeeIds: flow.employee_ids }
    case 'VoicemailConfig':
      return { ...empty, text: flow.greeting }
    case 'RejectConfig':
      return { ...empty, text: flow.message }
    case 'PhoneMenuConfig':
      return {
        ...empty,
        text: flow.welcome,
        options: flow.menu_options.map(({ digit, action_type, prompt, employee_ids }) => ({
          digit,
          action: action_type,
          prompt: prompt ?? '',
          employeeIds: employee_ids,
        })),
      }
  }
}

/** As the API expects it, without fields of other types. */
export function inputOf({ type, text, employeeIds, options }: FlowDraft): FlowInput | { type: null } {
  switch (type) {
    case 'none':
      return { type: null }
    case 'TransferConfig':
      return { type, employee_ids: employeeIds }
    case 'WelcomeTransferConfig':
      return { type, welcome: text, employee_ids: employeeIds }
    case 'VoicemailConfig':
      return { type, greeting: text }
    case 'RejectConfig':
      return { type, message: text }
    case 'PhoneMenuConfig':
      return { type, welcome: text, menu_options: options.map(optionInput) }
  }
}

function optionInput({ digit, action, prompt, employeeIds }: OptionDraft) {
  switch (action) {
    case 'TransferConfig':
      return { digit, action_type: action, employee_ids: employeeIds }
    case 'WelcomeTransferConfig':
      return { digit, action_type: action, prompt, employee_ids: employeeIds }
    case 'VoicemailConfig':
    case 'PlayMessageConfig':
      return { digit, action_type: action, prompt }
  }
}

/** The kind of prompt that each type speaks first, if any. */
export const SPOKEN_KINDS: Record<FlowDraft['type'], SpokenKind | undefined> = {
  none: undefined,
  TransferConfig: undefined,
  WelcomeTransferConfig: 'welcome',
  PhoneMenuConfig: 'welcome',
  VoicemailConfig: 'greeting',
  RejectConfig: 'message',
}

export const optionSpeaks = (action: OptionDraft['action']) => action !== 'TransferConfig'
export const ringsPeople = (type: FlowDraft['type'] | OptionDraft['action']) =>
  type === 'TransferConfig' || type === 'WelcomeTransferConfig'

/** The name of that prompt in the API. */
export const TEXT_FIELDS: Partial<Record<FlowDraft['type'], string>> = {
  WelcomeTransferConfig: 'welcome',
  PhoneMenuConfig: 'welcome',
  VoicemailConfig: 'greeting',
  RejectConfig: 'message',
}

/** The first key that no option has. */
export const freeDigit = (options: OptionDraft[]): string | undefined =>
  DIGITS.find((digit) => !options.some((option) => option.digit === digit))

export const newOption = (digit: string): OptionDraft => ({
  digit,
  action: 'TransferConfig',
  prompt: '',
  employeeIds: [],
})

/** What can be edited on the picture of a flow: what happens, its text, who is rung, or an option of its menu. */
export type Part = 'type' | 'text' | 'people' | number

/** The option whose key an earlier one has already. */
export const indexOfDouble = (options: OptionDraft[]): number =>
  options.findIndex(({ digit }, at) => options.slice(0, at).some((earlier) => earlier.digit === digit))

/** The part that has a field of the API; undefined if none has. */
export function partOf({ options }: FlowDraft, field: string): Part | undefined {
  const option = /^menu_options\.(\d+)\./.exec(field)
  if (option) return Number(option[1])
  const double = indexOfDouble(options)
  if (field === 'menu_options' && double >= 0) return double
  if (Object.values(TEXT_FIELDS).includes(field)) return 'text'
  if (field === 'employee_ids') return 'people'
  return field === 'type' || field === 'timeout_secs' ? 'type' : undefined
}

/** The audio of each text that is saved; null while it is being prepared. */
export function audioByText(flow: Flow | null): Map<string, string | null> {
  switch (flow?.type) {
    case undefined:
    case 'TransferConfig':
      return new Map()
    case 'WelcomeTransferConfig':
      return new Map([[flow.welcome, flow.welcome_audio_url]])
    case 'VoicemailConfig':
      return new Map([[flow.greeting, flow.greeting_audio_url]])
    case 'RejectConfig':
      return new Map([[flow.message, flow.message_audio_url]])
    case 'PhoneMenuConfig':
      return new Map([
        [flow.welcome, flow.welcome_audio_url],
        ...flow.menu_options.flatMap(({ prompt, prompt_audio_url }) =>
          prompt === null ? [] : [[prompt, prompt_audio_url] as const],
        ),
      ])
  }
}
