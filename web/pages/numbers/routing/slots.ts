import {
  type BusinessNumber,
  type FlowInput,
  setIncoming,
  setNoAnswer,
  setOutside,
} from '../../../api/numbers.ts'
import { draftOf, type FlowDraft, inputOf } from './flow-draft.ts'

export type Slot = 'incoming' | 'outside' | 'noAnswer'

/** The values that the API accepts, in seconds. */
export const TIMEOUTS = [15, 30, 60, 300, 600, 1200, 1800, 2700, 3600] as const
export type Timeout = (typeof TIMEOUTS)[number]

export interface SlotDraft {
  draft: FlowDraft
  /** Only of the slot for no answer. */
  timeout: Timeout | null
}

export const flowOf = (number: BusinessNumber, slot: Slot) =>
  ({
    incoming: number.incoming_call_config,
    outside: number.outside_business_hours_config,
    noAnswer: number.no_answer_config,
  })[slot]

export const slotDraftOf = (number: BusinessNumber, slot: Slot): SlotDraft => ({
  draft: draftOf(flowOf(number, slot)),
  timeout: slot === 'noAnswer' ? (number.no_answer_timeout_secs as Timeout | null) : null,
})

export function saveSlot(
  numberId: string,
  slot: Slot,
  { draft, timeout }: SlotDraft,
): Promise<BusinessNumber> {
  const flow = inputOf(draft)
  switch (slot) {
    case 'incoming':
      return setIncoming(numberId, flow as FlowInput)
    case 'outside':
      return setOutside(numberId, flow)
    case 'noAnswer':
      return setNoAnswer(numberId, { ...flow, timeout_secs: timeout })
  }
}
