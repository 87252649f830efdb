import { Fragment } from 'react'

/** The text with the words that were searched for marked. */
export function Highlight({ text, words }: { text: string; words: string }) {
  const pattern = patternOf(words)
  if (!pattern) return text
  return text.split(pattern).map((part, index) =>
    // Splitting by a group gives what matched at every second place.
    index % 2 === 1 ? <mark key={index}>{part}</mark> : <Fragment key={index}>{part}</Fragment>,
  )
}

/** The part of a long text around the first word that was searched for. */
export function excerptOf(text: string, words: string, characters = 180): string {
  const at = Math.max(0, text.search(patternOf(words) ?? /^/))
  const start = Math.max(0, at - characters / 3)
  const part = text.slice(start, start + characters)
  return `${start > 0 ? '…' : ''}${part}${start + characters < text.length ? '…' : ''}`
}

function patternOf(words: string): RegExp | undefined {
  const parts = words
    .split(/\s+/)
    .filter((word) => word.length > 1)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return parts.length > 0 ? new RegExp(`(${parts.join('|')})`, 'giu') : undefined
}
