import type { Call } from '../../api/calls.ts'

export type Segment = NonNullable<Call['transcription_segments']>[number]

/** The name of the speaker. */
export function speakerOf({ speaker, employee_id }: Segment, { employees }: Call, customer: string): string {
  const employee = employees.find(({ id }) => id === employee_id)
  return employee?.name ?? (speaker === 'customer' ? customer : speaker)
}
