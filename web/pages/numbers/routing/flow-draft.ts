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
