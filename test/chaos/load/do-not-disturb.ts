import { isDone } from './api.ts'
import { keepUp, type LoadParts } from './load.ts'

const PACE = { everyMs: 3_000 }

export interface DoNotDisturbBook {
  /** Undefined if the last change got no response. */
  enabled: boolean | undefined
}

/** One employee who switches do not disturb on and off. */
export function keepUpDoNotDisturb({ stage, api }: LoadParts) {
  const book: DoNotDisturbBook = { enabled: false }
  const { id, key } = stage.company.shy
  let enabled = false

  async function once(): Promise<void> {
    enabled = !enabled
    book.enabled = undefined
    const outcome = await api.ask(key, 'PUT', `/employees/${id}/do_not_disturb`, { enabled })
    if (isDone(outcome)) book.enabled = enabled
  }

  return { book, stop: keepUp(PACE.everyMs, once) }
}
