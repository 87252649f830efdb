import type { Context, Section, Value } from '../../../providers/context/port.ts'
import { LOOK_UP_LIMITS } from '../limits.ts'

/** What people search for: names, numbers and values, one line for each provider. Headings are left out. */
export function searchTextOf(contexts: Context[]): string {
  const lines = contexts.map(({ contact, sections }) => {
    const identity = contact ? [contact.name, contact.email, contact.company_name, contact.note] : []
    return [...identity, ...sections.flatMap(wordsIn)].filter(Boolean).join(' ')
  })
  return lines.join('\n').slice(0, LOOK_UP_LIMITS.searchTextCharacters).toWellFormed()
}

function wordsIn(section: Section): string[] {
  if (section.type === 'fields') return section.fields.map(({ value }) => wordsOf(value))
  return section.rows.flatMap(({ values }) => Object.values(values).map(wordsOf))
}

const wordsOf = (value: Value) => (typeof value === 'string' ? value : `${value.amount} ${value.currency}`)
