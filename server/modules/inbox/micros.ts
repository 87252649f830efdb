const EARLIEST = '1970-01-01T00:00:00.000000Z'
const LATEST = '9999-12-31T23:59:59.999999Z'

/** A time of ISO 8601 in UTC with six digits after the seconds; what is finer is cut off, never rounded up. */
export function toMicros(iso: string): string {
  const date = new Date(iso)
  // PostgreSQL has no year 0, and nothing of ours is that old.
  if (date.getTime() < 0) return EARLIEST
  // In a zone west of here the last year may already be over, and the next one has five digits.
  if (date.getTime() > Date.parse(LATEST)) return LATEST
  const digits = /\.(\d+)/.exec(iso)?.[1] ?? ''
  return `${date.toISOString().slice(0, 19)}.${digits.slice(0, 6).padEnd(6, '0')}Z`
}
