import { formatPhone } from '../../platform/text/phone.ts'
import type { FileLinks } from '../files/index.ts'
import { presentFlow, type StoredFlow } from './flow/call-flow.ts'
import { DAY_NAMES } from './hours/business-hours.ts'
import type { AudioOf } from './prompts/prompts.ts'
import type { NumberRow } from './queries.ts'
import type { BusinessNumber } from './schemas.ts'
import { canReceive, canSend } from './texting/texting.ts'

export function presentNumber(row: NumberRow, audioOf: AudioOf, links: FileLinks): BusinessNumber {
  const { sms_capable: _, messaging_enabled: __, recording_notice: ___, ...rest } = row
  const urlOf = (text: string) => {
    const key = audioOf(text)
    return key && links.to(key)
  }
  const flow = (stored: StoredFlow | null) => stored && presentFlow(stored, urlOf)
  return {
    ...rest,
    number_formatted: formatPhone(row.number),
    incoming_call_config: presentFlow(row.incoming_call_config, urlOf),
    outside_business_hours_config: flow(row.outside_business_hours_config),
    no_answer_config: flow(row.no_answer_config),
    business_hours: row.business_hours.map((day) => ({ ...day, day_name: DAY_NAMES[day.day_of_week]! })),
    messaging: {
      sms: { can_send: canSend(row), can_receive: canReceive(row) },
      mms: { can_send: false, can_receive: false },
    },
  }
}
