import { keepUp, type LoadParts } from './load.ts'

const PACE = { everyMs: 2_500 }
const LIMITS = { replays: 40 }

export interface TextBook {
  /** Serials of texts that got a 201: the provider has each of them. */
  taken: Set<number>
  /** All that were requested, whatever the outcome. */
  asked: number
  /** Ids of messages that the API has returned, to be checked at the end. */
  ids: Map<number, string>
  unexpected: string[]
}

export const textOf = (serial: number) => `Text number ${serial}`

/**
 * Sends texts with idempotency keys. A request without a response is repeated with the same key, until there is one.
 */
export function keepUpTexts({ stage, api, chance }: LoadParts, everyMs = PACE.everyMs) {
  const book: TextBook = { taken: new Set(), asked: 0, ids: new Map(), unexpected: [] }
  const { shy, texting } = stage.company
  const path = `/business_numbers/${texting.id}/messages`
  const stopping = new AbortController()

  async function once(): Promise<void> {
    const serial = book.asked++
    const to = `+4520${String(chance.whole(0, 999_999)).padStart(6, '0')}`
    const body = { to, text: textOf(serial), idempotency_key: `key-${serial}` }
    for (let tried = 0; tried < LIMITS.replays && !(stopping.signal.aborted && tried > 0); tried++) {
      const outcome = await api.ask(shy.key, 'POST', path, body)
      if (outcome.is === 'unknown') continue
      const { status, body: answer } = outcome as {
        status: number
        body: { id?: string; message_id?: string }
      }
      const id = answer.id ?? answer.message_id
      if (id) book.ids.set(serial, id)
      if (status === 201) book.taken.add(serial)
      else if (![200, 422, 429, 502].includes(status) && book.unexpected.length < 20)
        book.unexpected.push(`${textOf(serial)}: ${status} ${JSON.stringify(answer)}`)
      return
    }
  }

  const stop = keepUp(everyMs, once)
  return {
    book,
    async stop() {
      stopping.abort()
      await stop()
    },
  }
}
