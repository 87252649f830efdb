import { Fragment } from 'react'

import { patternOf } from './passage.ts'

/** The text with the words that were searched for, and other forms of them, marked. */
export function Marked({ text, query }: { text: string; query: string }) {
  const pattern = patternOf(query)
  if (!pattern) return text
  return text.split(pattern).map((part, index) =>
    // Splitting by a group gives what matched at every second place.
    index % 2 === 1 ? <mark key={index}>{part}</mark> : <Fragment key={index}>{part}</Fragment>,
  )
}
