const EARLIEST = '1970-01-01T00:00:00.000000Z'
const LATEST = '9999-12-31T23:59:59.999999Z'

/** An ISO 8601 time in UTC with six decimals; further decimals are cut off, never rounded up. */
export function toMicros(iso: string): string {
  const date = new Date(iso)
  // PostgreSQL has no year 0, and our data is newer.
  if (date.getTime() < 0) return EARLIEST
  // With a western time zone, a time in the last year may fall into the next, which has five digits.
  if (date.getTime() > Date.parse(LATEST)) return LATEST
  const digits = /\.(\d+)/.exec(iso)?.[1] ?? ''
  return `${date.toISOString().slice(0, 19)}.${digits.slice(0, 6).padEnd(6, '0')}Z`
}
