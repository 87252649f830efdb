/** Parses a time such as `9`, `9.30`, `0930`, `5 pm` or `24:00`; undefined if it is invalid. */
export function readTimeOfDay(written: string): string | undefined {
  const [, hour, minute = '00', half] =
    /^(\d{1,2})(?:[:.]?([0-5]\d))?\s*([ap]m)?$/i.exec(written.trim()) ?? []
  if (hour === undefined) return undefined
  const hours = half === undefined ? Number(hour) : afterMidnight(Number(hour), half.toLowerCase() === 'pm')
  const isInDay = hours < 24 || (hours === 24 && minute === '00')
  return isInDay ? `${String(hours).padStart(2, '0')}:${minute}` : undefined
}

/** 12 am is the hour after midnight, and 12 pm the hour after noon. */
function afterMidnight(hour: number, isAfternoon: boolean): number {
  if (hour < 1 || hour > 12) return Number.NaN
  return (hour % 12) + (isAfternoon ? 12 : 0)
}
