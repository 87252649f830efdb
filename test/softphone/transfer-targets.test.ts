import { expect, test } from 'vitest'

import { type Target, targetsFor } from '../../web/softphone/transfer/targets.ts'

const target = (name: string, status: Target['status']): Target => ({ id: `emp_${name}`, name, status })

const offered = [
  target('Åse', 'logged_out'),
  target('Carl', 'on_call'),
  target('Bo', 'available'),
  target('Dina', 'logged_out'),
  target('Anna', 'available'),
  target('Eva', 'ringing'),
  target('Finn', 'logged_out'),
]

const named = (targets: Target[]) => targets.map(({ name, status }) => `${name} ${status}`)

test('coworkers who can take a call come first, and do not disturb is told from signed out', () => {
  const employees = [target('Dina', 'do_not_disturb'), target('Åse', 'logged_out')]
  expect(named(targetsFor('', { offered, employees, language: 'da' }))).toEqual([
    'Anna available',
    'Bo available',
    'Eva ringing',
    'Carl on_call',
    'Dina do_not_disturb',
    'Finn logged_out',
    'Åse logged_out',
  ])
})

test('what the call says of a coworker counts, if the list of employees is older', () => {
  const employees = [target('Bo', 'do_not_disturb')]
  expect(named(targetsFor('bo', { offered, employees, language: 'da' }))).toEqual(['Bo available'])
})

test('coworkers are found by a part of their name, whatever its case', () => {
  expect(named(targetsFor(' åS', { offered, employees: [], language: 'da' }))).toEqual(['Åse logged_out'])
})
