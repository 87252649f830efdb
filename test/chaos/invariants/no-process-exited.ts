import type { Invariant } from './invariant.ts'

/** Whatever happened around it, no process exited unless we ended it. */
export const nobodyEnded: Invariant = {
  name: 'no process ends by itself',
  isFinal: true,
  check: ({ stage, endedByThemselves }) =>
    Promise.resolve({
      checked: stage.roles.reduce((sum, role) => sum + role.starts(), 0),
      broken: endedByThemselves,
    }),
}
