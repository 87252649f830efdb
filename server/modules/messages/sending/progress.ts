/** What has become of an attempt to send a text. The message shows that of its newest attempt. */
export type AttemptStatus = 'queued' | 'accepted' | 'delivered' | 'failed' | 'unknown'

/** Only forward: what comes late, or twice, or in the wrong order changes nothing. */
const NEXT: Record<AttemptStatus, readonly AttemptStatus[]> = {
  queued: ['accepted', 'delivered', 'failed', 'unknown'],
  accepted: ['delivered', 'failed', 'unknown'],
  // A lost answer may be made good by a report.
  unknown: ['delivered', 'failed'],
  delivered: [],
  // Only a retry goes on from here, which is an attempt of its own.
  failed: [],
}

export function moves(from: AttemptStatus, to: AttemptStatus): boolean {
  return NEXT[from].includes(to)
}
