/** The status of a send attempt. A message shows that of its newest attempt. */
export type AttemptStatus = 'queued' | 'accepted' | 'delivered' | 'failed' | 'unknown'

/** Only forward: late, repeated or unordered reports change nothing. */
const NEXT: Record<AttemptStatus, readonly AttemptStatus[]> = {
  queued: ['accepted', 'delivered', 'failed', 'unknown'],
  accepted: ['delivered', 'failed', 'unknown'],
  // A report may make up for a lost response.
  unknown: ['delivered', 'failed'],
  delivered: [],
  // A retry is a new attempt.
  failed: [],
}

export function mayFollow(from: AttemptStatus, to: AttemptStatus): boolean {
  return NEXT[from].includes(to)
}
