import { z } from 'zod'

import { Timestamp } from '../../platform/schemas.ts'

export const STEPS = [
  'receive_call',
  'receive_text',
  'add_number',
  'invite_colleague',
  'connect_phone',
] as const
export type OnboardingStep = (typeof STEPS)[number]

const NumberToTry = z.object({ number: z.string(), number_formatted: z.string() }).nullable()

export const Onboarding = z
  .object({
    dismissed: z.boolean().meta({ description: 'Whether the employee has put the list away.' }),
    demo: z
      .boolean()
      .meta({ description: 'Whether the company has only the numbers that it was created with.' }),
    number: NumberToTry.meta({
      description: 'To call for a try: one that rings the employee, if there is one.',
    }),
    number_for_texts: NumberToTry.meta({
      description: 'To text for a try; null if no number receives texts.',
    }),
    simulated_calls: z.boolean().meta({ description: 'Whether a customer can be simulated who calls.' }),
    simulated_texts: z.boolean().meta({ description: 'Whether a customer can be simulated who texts.' }),
    steps: z.array(
      z.object({
        step: z
          .enum(STEPS)
          .meta({ description: '`receive_text` is missing if the company may not use texts.' }),
        done: z
          .boolean()
          .meta({ description: 'Whether it has really happened, by the data of the company.' }),
      }),
    ),
  })
  .meta({ id: 'Onboarding' })
export type Onboarding = z.output<typeof Onboarding>

export const OnboardingUpdate = z.object({
  dismissed: z.boolean().meta({ description: 'Whether the list is put away, for you alone.' }),
})
export type OnboardingUpdate = z.output<typeof OnboardingUpdate>

/** The checks of `bellhop doctor` on which a first call depends. */
export const FIRST_CALL_CHECKS = ['trunks', 'media-ports', 'base-url', 'websockets', 'email'] as const
export type FirstCallCheck = (typeof FIRST_CALL_CHECKS)[number]

const Status = z.enum(['ok', 'warning', 'problem'])

export const CheckFinding = z.object({
  status: Status,
  message: z.string(),
  action: z.string().nullable().meta({ description: 'What to do; null if all is well.' }),
})
export type CheckFinding = z.output<typeof CheckFinding>

export const OnboardingChecks = z
  .object({
    checked_at: Timestamp,
    checks: z.array(
      z.object({
        check: z.enum(FIRST_CALL_CHECKS),
        status: Status.meta({ description: 'The worst of what the check found.' }),
        findings: z
          .array(CheckFinding)
          .nullable()
          .meta({ description: 'As `bellhop doctor` words them, for operators; null for everybody else.' }),
      }),
    ),
  })
  .meta({ id: 'OnboardingChecks' })
export type OnboardingChecks = z.output<typeof OnboardingChecks>
