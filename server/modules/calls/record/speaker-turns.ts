import type { Transcript, Turn } from '../../../speech/port.ts'
import type { CallSpeakersRow } from './queries.ts'

export interface CallTurn extends Turn {
  /** In the recording. */
  startMs: number
  employee_id?: string
}

/** The customer is on the left channel. A mono recording is attributed to the customer, for want of a better guess. */
const OUTSIDE = 0

/** Who said what, in chronological order. */
export function turnsOf(
  { channels }: Transcript,
  call: CallSpeakersRow,
  recordedFrom: Date | null,
): CallTurn[] {
  const from = recordedFrom ?? call.answered_at
  const phrases = channels
    .flatMap((said, channel) => said.map((phrase) => ({ ...phrase, channel })))
    .toSorted((a, b) => a.startMs - b.startMs || a.channel - b.channel)
  const turns: CallTurn[] = []
  for (const { channel, startMs, text } of phrases) {
    const speaker =
      channel === OUTSIDE ? customerOf(call) : employeeAt(call, from && from.getTime() + startMs)
    const last = turns.at(-1)
    if (last && last.ours === speaker.ours && last.employee_id === speaker.employee_id)
      last.text += ` ${text}`
    else turns.push({ ...speaker, text, startMs })
  }
  return turns
}

export const remotePartyName = ({ contact_name, remote_number }: CallSpeakersRow) =>
  contact_name ?? remote_number

type Speaker = Omit<CallTurn, 'text' | 'startMs'>

const customerOf = (call: CallSpeakersRow): Speaker => ({ speaker: remotePartyName(call), ours: false })

/** The last employee to join before that time, because a transfer changes who speaks. */
function employeeAt({ employees, main_number_name }: CallSpeakersRow, time: number | null): Speaker {
  const joined = employees.findLast(({ joined_at }) => time !== null && Date.parse(joined_at) <= time)
  const employee = joined ?? employees[0]
  return {
    speaker: employee?.name ?? main_number_name,
    ours: true,
    ...(employee && { employee_id: employee.id }),
  }
}
