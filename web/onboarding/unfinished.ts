import type { Onboarding } from '../api/onboarding.ts'

/** Whether there is anything left to show to a newcomer. */
export const isUnfinished = ({ dismissed, steps }: Onboarding) =>
  !dismissed && steps.some(({ done }) => !done)
