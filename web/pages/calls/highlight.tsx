import { Fragment } from 'react'

import { patternOf } from './excerpt.ts'

/** The text with the search terms, and other forms of them, marked. */
export function Highlight({ text, query }: { text: string; query: string }) {
  const pattern = patternOf(query)
  if (!pattern) return text
  return text.split(pattern).map((part, index) =>
    // Splitting by a group puts the matches at every second index.
    index % 2 === 1 ? <mark key={index}>{part}</mark> : <Fragment key={index}>{part}</Fragment>,
  )
}
