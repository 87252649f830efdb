import type { Employee } from '../../api/employees.ts'
import { isLive, type OffReason } from '../phone/state.ts'
import type { PhoneView } from '../phone/view.ts'

export type StatusKind =
  | 'ready'
  /** At another phone of the employee, while this one is off. */
  | 'ready_elsewhere'
  | 'do_not_disturb'
  | 'ringing'
  | 'on_call'
  | 'connecting'
  | 'offline'
  | 'no_microphone'
  | OffReason

export interface Status {
  is: StatusKind
  /** Also set while something else matters more, such as a call. */
  doNotDisturb: DoNotDisturb | null
}

interface DoNotDisturb {
  /** Null: until it is switched off. */
  until: string | null
}

export interface StatusSources {
  phone: Pick<PhoneView, 'state' | 'microphoneProblem'>
  /** What the server says; undefined until it has. */
  employee: Pick<Employee, 'status' | 'do_not_disturb' | 'do_not_disturb_expires_at'> | undefined
  /** As the banner of the page says, too. */
  isOffline: boolean
  /** In ms since 1970. */
  now: number
}

/** The status of the employee, as shown to themselves: whether a call would reach them, and if not, why. */
export function statusOf(sources: StatusSources): Status {
  const doNotDisturb = doNotDisturbOf(sources)
  return { is: kindOf(sources, doNotDisturb !== null), doNotDisturb }
}

/** The server ends it at that time; the page may hear of that late. */
function doNotDisturbOf({ employee, now }: StatusSources): DoNotDisturb | null {
  if (!employee?.do_not_disturb) return null
  const until = employee.do_not_disturb_expires_at
  return until !== null && Date.parse(until) <= now ? null : { until }
}

function kindOf(sources: StatusSources, isUndisturbed: boolean): StatusKind {
  const { phone, employee } = sources
  const { state } = phone
  if (state.in === 'ringing') return 'ringing'
  if (isLive(state)) return 'on_call'
  if (sources.isOffline) return 'offline'
  // Without the server's word, ready could be wrong.
  if (state.in === 'connecting' || !employee) return 'connecting'
  // At another phone, or in another tab.
  if (employee.status === 'on_call') return 'on_call'
  if (isUndisturbed) return 'do_not_disturb'
  if (employee.status === 'ringing') return 'ringing'
  if (state.in === 'off') return kindOfOff(state.why, employee.status === 'available')
  return phone.microphoneProblem ? 'no_microphone' : 'ready'
}

const kindOfOff = (why: OffReason, isAvailable: boolean): StatusKind =>
  why !== 'other_tab' && isAvailable ? 'ready_elsewhere' : why
