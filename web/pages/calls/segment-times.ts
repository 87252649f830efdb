import type { Segment } from './segment.ts'

/** When each segment begins, in seconds. Transcripts of earlier versions have no times: by their share of the letters. */
export function segmentStarts(segments: Segment[], length: number): number[] {
  if (segments.every(({ start_ms }) => start_ms !== undefined))
    return segments.map(({ start_ms }) => start_ms! / 1000)
  const letters = segments.reduce((sum, { text }) => sum + text.length, 0)
  let said = 0
  return segments.map(({ text }) => {
    const start = (said / letters) * length
    said += text.length
    return start
  })
}

/** The segment at a position; -1 before the first one. */
export const segmentAt = (starts: number[], position: number): number =>
  starts.findLastIndex((start) => start <= position)

/** When a character of a segment is said, if it is spoken evenly until the next one. */
export function timeOf(starts: number[], length: number, index: number, share: number): number {
  const start = starts[index]!
  const end = starts[index + 1] ?? Math.max(length, start)
  return start + (end - start) * share
}
