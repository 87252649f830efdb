import type { ExpectedState } from '../campaign-state.ts'
import type { RunningBellhop } from '../environment/running-bellhop.ts'
import type { Provider } from '../load/provider.ts'
import { textOf } from '../load/texts.ts'
import type { Finding, Invariant } from './invariant.ts'

interface Texts {
  stage: RunningBellhop
  provider: Provider
  books: Pick<ExpectedState, 'texts' | 'incomingTexts'>
}

/** A text that got a 201 was sent once; no text, and no automatic reply, was sent twice. */
export const textsSentOnce = {
  name: 'no text is sent twice',
  async check({ stage, provider, books: { texts, incomingTexts } }: Texts): Promise<Finding> {
    const broken = [...texts.unexpected]
    for (let serial = 0; serial < texts.asked; serial++) {
      const sent = provider.sent.get(textOf(serial)) ?? 0
      if (sent > 1) broken.push(`${textOf(serial)} was sent ${sent} times`)
      if (sent === 0 && texts.taken.has(serial))
        broken.push(`${textOf(serial)} was answered 201 and never sent`)
    }
    for (const writer of incomingTexts.writers) {
      const sent = provider.sentTo.get(writer) ?? 0
      if (sent > 1) broken.push(`${writer} was answered automatically ${sent} times`)
    }
    const sql = stage.postgres.connect()
    try {
      const open = await sql<{ id: string; created_at: Date }[]>`
        select id, created_at from messages where company_id = ${stage.company.id} and status = 'queued'`
      for (const { id } of open) broken.push(`message ${id} is still queued`)
    } finally {
      await sql.end()
    }
    return { checked: texts.asked + incomingTexts.writers.length, broken }
  },
} satisfies Invariant
