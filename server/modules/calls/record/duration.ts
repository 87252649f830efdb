/** In seconds; null while the call is in progress, 0 for an unanswered call. */
export function durationOf(answeredAt: Date | null, endedAt: Date | null): number | null {
  if (!endedAt) return null
  return answeredAt ? Math.max(0, Math.round((endedAt.getTime() - answeredAt.getTime()) / 1000)) : 0
}
