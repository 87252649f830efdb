import { serialOf, valuesOf } from '../load/contacts.ts'
import type { Invariant } from './invariant.ts'

/**
 * A write that got a 2xx is stored as it was acknowledged; a write without a response is stored completely, or not at
 * all.
 */
export const writesKept: Invariant = {
  name: 'no acknowledged write is lost',
  async check({ stage, books: { contacts, incomingTexts } }) {
    const broken = [...contacts.unexpected]
    const sql = stage.postgres.connect()
    try {
      const rows = await sql<{ phone: string; name: string; note: string }[]>`
        select phone, name, note from contacts where company_id = ${stage.company.id}`
      const found = new Map(rows.map((row) => [serialOf(row.phone), row]))
      for (const [serial, { revision }] of contacts.known) {
        const row = found.get(serial)
        found.delete(serial)
        if (!row) broken.push(`contact ${serial} is gone`)
        else if (!is(row, revision))
          broken.push(`contact ${serial} is ${row.name}, ${row.note}, not ${revision}`)
      }
      for (const [serial, { before, wanted }] of contacts.doubtful) {
        const row = found.get(serial)
        found.delete(serial)
        const mayBeGone = !before || wanted === 'deleted'
        const may = [before?.revision, wanted === 'deleted' ? undefined : wanted.revision]
        const isRight = row ? may.some((revision) => revision !== undefined && is(row, revision)) : mayBeGone
        if (!isRight)
          broken.push(`contact ${serial}, unanswered, is ${row ? `${row.name}, ${row.note}` : 'gone'}`)
      }
      for (const serial of found.keys()) broken.push(`contact ${serial} is back, though it was deleted`)

      const texts = await sql<{ id: string; count: number }[]>`
        select provider_message_id as id, count(*)::int as count from messages
        where company_id = ${stage.company.id} and direction = 'inbound' group by 1`
      const counts = new Map(texts.map(({ id, count }) => [id, count]))
      for (const id of incomingTexts.taken)
        if (counts.get(id) !== 1)
          broken.push(`text ${id} was taken and is there ${counts.get(id) ?? 0} times`)
    } finally {
      await sql.end()
    }
    return { checked: contacts.acknowledged + contacts.doubtful.size + incomingTexts.taken.length, broken }
  },
}

function is({ name, note }: { name: string; note: string }, revision: number): boolean {
  const wanted = valuesOf(revision)
  return name === wanted.name && note === wanted.note
}
