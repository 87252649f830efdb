import type { Finding } from './finding.ts'
import type { Inspection } from './inspection.ts'

/** Looks at one thing. It changes nothing, and says nothing if what it looks at cannot be seen. */
export interface Check<Seen = Inspection> {
  name: string
  /** Unless the usual time is too short. */
  deadlineMs?: number
  run(seen: Seen): Promise<Finding[]>
}
