import type { Employee } from '../../api/employees.ts'

export interface Target {
  id: string
  name: string
  status: Employee['status']
}

/** Those who can take the call first, then those who may soon. */
const ORDER: Target['status'][] = [
  'available',
  'ringing',
  'on_call',
  'do_not_disturb',
  'unknown',
  'logged_out',
]

interface Coworkers {
  /** Of the active call, which does not tell do not disturb from signed out. */
  offered: readonly Target[]
  /** All employees, once they are known. */
  employees: readonly Target[]
  /** Its alphabet decides the order of names. */
  language: string
}

/** The coworkers whose name contains what was typed, by availability and name. */
export function targetsFor(typed: string, { offered, employees, language }: Coworkers): Target[] {
  const wanted = typed.trim().toLocaleLowerCase()
  const isUndisturbed = new Set(
    employees.filter(({ status }) => status === 'do_not_disturb').map(({ id }) => id),
  )
  const shownStatus = ({ id, status }: Target): Target['status'] =>
    status === 'logged_out' && isUndisturbed.has(id) ? 'do_not_disturb' : status
  return offered
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
    .map((one) => ({ id: one.id, name: one.name, status: shownStatus(one) }))
    .toSorted(
      (a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.name.localeCompare(b.name, language),
    )
}
