import { isDone } from './api.ts'
import { keepUp, type LoadParts } from './load.ts'

const PACE = { everyMs: 250, contactsMax: 400 }
const FIRST_NUMBER = 40_000_000

interface Known {
  id: string
  revision: number
}

/** The possible states of a contact whose last change got no response: nothing more is done with it. */
interface Doubtful {
  before: Known | undefined
  wanted: { revision: number } | 'deleted'
}

export interface ContactBook {
  /** By serial: the last state that was acknowledged with 2xx. */
  known: Map<number, Known>
  doubtful: Map<number, Doubtful>
  acknowledged: number
  unexpected: string[]
}

export const phoneOf = (serial: number) => `+45${FIRST_NUMBER + serial}`
export const serialOf = (phone: string) => Number(phone.slice('+45'.length)) - FIRST_NUMBER

/** Name and note contain the same number: if only one was changed, the write was partial. */
export const valuesOf = (revision: number) => ({ name: `Contact ${revision}`, note: `note ${revision}` })

/** Creates, changes and deletes contacts, and remembers what was acknowledged. */
export function keepUpContacts({ stage, api, chance }: LoadParts) {
  const book: ContactBook = { known: new Map(), doubtful: new Map(), acknowledged: 0, unexpected: [] }
  const { key } = stage.company.absent
  let [serials, revisions] = [0, 0]

  async function change(
    serial: number,
    before: Known | undefined,
    wanted: Doubtful['wanted'],
    request: { method: string; path: string; body?: object },
  ): Promise<void> {
    book.known.delete(serial)
    const outcome = await api.ask(key, request.method, request.path, request.body)
    if (isDone(outcome)) {
      book.acknowledged++
      if (wanted !== 'deleted')
        book.known.set(serial, { id: (outcome as { body: { id: string } }).body.id, ...wanted })
      return
    }
    if (outcome.is === 'unknown') return void book.doubtful.set(serial, { before, wanted })
    // A refusal changed nothing.
    if (before) book.known.set(serial, before)
    if (book.unexpected.length < 20)
      book.unexpected.push(
        `${request.method} ${request.path}: ${outcome.status} ${JSON.stringify(outcome.body)}`,
      )
  }

  async function once(): Promise<void> {
    const serialOfKnown = () => chance.pick([...book.known.keys()])
    const isFull = book.known.size >= PACE.contactsMax
    const what =
      book.known.size < 5 ? 'create' : chance.pick([isFull ? 'delete' : 'create', 'update', 'update'])
    if (what === 'create') {
      const [serial, revision] = [serials++, revisions++]
      const body = { phone: phoneOf(serial), ...valuesOf(revision) }
      return change(serial, undefined, { revision }, { method: 'POST', path: '/contacts', body })
    }
    const serial = serialOfKnown()
    const before = book.known.get(serial)!
    const path = `/contacts/${before.id}`
    if (what === 'delete') return change(serial, before, 'deleted', { method: 'DELETE', path })
    const revision = revisions++
    await change(serial, before, { revision }, { method: 'PATCH', path, body: valuesOf(revision) })
  }

  return { book, stop: keepUp(PACE.everyMs, once) }
}
