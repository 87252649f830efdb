import { type Api, isDone } from './api.ts'
import { keepUp, type LoadParts } from './load.ts'
import type { Callback, Provider } from './provider.ts'

const PACE = { everyMs: 3_000, againMs: 500, reportsAtOnce: 20 }

export interface IncomingTextBook {
  /** The provider's ids of texts that Bellhop has accepted. */
  taken: string[]
  /** Who sent a text to the closed number, and so gets at most one reply. */
  writers: string[]
}

/** The provider sends texts, and delivery reports; what is not accepted is sent again. */
export function keepUpIncomingTexts({ stage, api, chance }: LoadParts, provider: Provider) {
  const book: IncomingTextBook = { taken: [], writers: [] }
  const { texting, closed } = stage.company
  let serial = 0

  const stopTexts = keepUp(PACE.everyMs, async () => {
    const id = `incoming-${serial++}`
    const from = `+4530${String(serial).padStart(6, '0')}`
    const isClosed = chance.next() < 0.5
    if (isClosed) book.writers.push(from)
    const text = provider.incoming({
      id,
      from,
      to: isClosed ? closed.number : texting.number,
      text: 'Hello?',
    })
    if (await postCallback(api, text)) book.taken.push(id)
  })
  const stopReports = keepUp(PACE.againMs, async () => {
    const due = provider.reports.splice(0, PACE.reportsAtOnce)
    for (const report of due) if (!(await postCallback(api, report))) provider.reports.push(report)
  })
  return {
    book,
    async stop() {
      await stopTexts()
      await stopReports()
    },
  }
}

/** Whether it was accepted: only a 2xx counts. */
export async function postCallback(api: Api, { path, body, headers }: Callback): Promise<boolean> {
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers() } }
  return isDone(await api.send(path, init))
}
