import { NUMBER_LIMITS } from '../limits.ts'
import type { NumberRow } from '../queries.ts'
import type { StoredFlow } from './call-flow.ts'

/**
 * What a caller goes through, with every branch. The edge runs calls by it, and the dashboard walks through it, so that
 * both follow the same rules.
 */
export type CallStep =
  | { do: 'say'; text: string; next: CallStep }
  /** Asks a few times, then goes on. */
  | { do: 'menu'; text: string; prompts: number; options: MenuChoice[]; otherwise: CallStep }
  /** Without a timeout it rings until the caller hangs up. */
  | { do: 'ring'; employeeIds: string[]; noAnswer: { afterSecs: number; next: CallStep } | null }
  /** Says something, and ends. */
  | { do: 'message'; text: string; end: 'rejected' | 'message_played' }
  | { do: 'voicemail'; greeting: string }
  | { do: 'hangUp'; why: 'no_choice_made' }

interface MenuChoice {
  digit: string
  next: CallStep
}

/** What follows if nobody answers, or the caller chooses nothing. It is followed by no other flow. */
type NoAnswer = Extract<CallStep, { do: 'ring' }>['noAnswer']

const hangUpUnchosen: CallStep = { do: 'hangUp', why: 'no_choice_made' }

/** The steps of a call flow of the number, and of its flow for no answer. */
export const planInboundCall = (number: NumberRow, flow: StoredFlow): CallStep =>
  planFlow(flow, planNoAnswer(number))

/** Without a timeout it is switched off, whatever leads to it. */
export function planNoAnswer(
  number: Pick<NumberRow, 'no_answer_config' | 'no_answer_timeout_secs'>,
): NoAnswer {
  const { no_answer_config: flow, no_answer_timeout_secs: afterSecs } = number
  return flow && afterSecs ? { afterSecs, next: planFlow(flow, null) } : null
}

function planFlow(flow: StoredFlow, noAnswer: NoAnswer): CallStep {
  switch (flow.type) {
    case 'TransferConfig':
      return { do: 'ring', employeeIds: flow.employee_ids, noAnswer }
    case 'WelcomeTransferConfig':
      return {
        do: 'say',
        text: flow.welcome,
        next: { do: 'ring', employeeIds: flow.employee_ids, noAnswer },
      }
    case 'RejectConfig':
      return { do: 'message', text: flow.message, end: 'rejected' }
    case 'VoicemailConfig':
      return { do: 'voicemail', greeting: flow.greeting }
    case 'PhoneMenuConfig':
      return {
        do: 'menu',
        text: flow.welcome,
        prompts: NUMBER_LIMITS.menuPrompts,
        options: flow.menu_options.map((option) => ({
          digit: option.digit,
          next: planOption(option, noAnswer),
        })),
        otherwise: noAnswer?.next ?? hangUpUnchosen,
      }
  }
}

type Option = Extract<StoredFlow, { type: 'PhoneMenuConfig' }>['menu_options'][number]

function planOption(option: Option, noAnswer: NoAnswer): CallStep {
  switch (option.action_type) {
    case 'TransferConfig':
      return { do: 'ring', employeeIds: option.employee_ids, noAnswer }
    case 'WelcomeTransferConfig':
      return {
        do: 'say',
        text: option.prompt,
        next: { do: 'ring', employeeIds: option.employee_ids, noAnswer },
      }
    case 'VoicemailConfig':
      return { do: 'voicemail', greeting: option.prompt }
    case 'PlayMessageConfig':
      return { do: 'message', text: option.prompt, end: 'message_played' }
  }
}
