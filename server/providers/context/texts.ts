import { oneLine } from '../../platform/text/one-line.ts'
import { CONTEXT_LIMITS } from './limits.ts'

type Json = Record<string, unknown>

/** The fields of an object; empty for anything else. */
export const objectOf = (input: unknown): Json =>
  typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Json) : {}

/** At most `max` items of a list; empty for anything else. */
export const listOf = (input: unknown, max: number): unknown[] =>
  Array.isArray(input) ? input.slice(0, max) : []

/** Text that can be stored and shown, cut to so many code points; null for anything else. */
export function stringOf(input: unknown, max: number): string | null {
  if (typeof input !== 'string' || !input.isWellFormed() || input.includes('\0')) return null
  const text = input.trim()
  if (text.length <= max) return text
  return Array.from(text.slice(0, max * 2))
    .slice(0, max)
    .join('')
    .trim()
}

/** The same, but null if blank. */
export const filledTextOf = (input: unknown, max: number): string | null => stringOf(input, max) || null

/** A name or a heading from outside, which is cleaned up rather than refused. */
export const lineOf = (input: unknown, max: number): string | null =>
  oneLine(stringOf(input, max) ?? '') || null

/** A URL that a browser opens as a page, never as a script; null for anything else. */
export function urlOf(input: unknown): string | null {
  const text = typeof input === 'string' && input.length <= CONTEXT_LIMITS.urlCharacters ? input.trim() : ''
  if (!URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
