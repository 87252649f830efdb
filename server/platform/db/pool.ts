import type postgres from 'postgres'

import type { DatabaseConnection } from './connection.ts'

type Sql = postgres.Sql

export interface Pool {
  /** Each query runs on the least busy connection. */
  sql: Sql
  /** Gives `run` a connection of its own. */
  alone<T>(run: (line: DatabaseConnection) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A query of the driver; when awaited, it passes itself to its handler. */
interface Query extends PromiseLike<unknown> {
  handler(query: Query): void
}

interface PoolSlot {
  line: DatabaseConnection
  /** The handler that sends a query over this connection. */
  send: Query['handler']
  running: number
  taken: boolean
  /** Resumes the transaction that has reserved the connection, once its running queries have ended. */
  next: (() => void) | undefined
}

/** Queries share a connection; a transaction reserves one, in the order of arrival. */
type Work = { is: 'query'; query: Query } | { is: 'transaction'; start(place: PoolSlot): void }

/** Connections to PostgreSQL, each replaced as soon as it is lost. */
export function openPool(size: number, openLine: (onLost: () => void) => DatabaseConnection): Pool {
  const places = Array.from({ length: size }, () => occupy({ running: 0, taken: false } as PoolSlot))
  const waiting: Work[] = []
  let closing = false

  function occupy(place: PoolSlot): PoolSlot {
    const line = openLine(() => {
      if (!closing) occupy(place)
    })
    const { handler } = line.sql`` as unknown as Query
    return Object.assign(place, { line, send: handler })
  }

  function enter(work: Work): void {
    if (waiting.length > 0 || !admit(work)) waiting.push(work)
  }

  function admit(work: Work): boolean {
    const place = leastBusy(places)
    if (!place) return false
    if (work.is === 'query') run(place, work.query)
    else take(place, () => work.start(place))
    return true
  }

  function release(place: PoolSlot): void {
    place.taken = false
    while (waiting.length > 0 && admit(waiting[0]!)) waiting.shift()
  }

  const route = (made: unknown): unknown => {
    // Identifiers and lists of values are made by the same function.
    if (isQuery(made)) made.handler = (query) => enter({ is: 'query', query })
    return made
  }
  const builder = () => places[0]!.line.sql
  const sql = new Proxy(builder(), {
    apply: (_, self, args) => route(Reflect.apply(builder(), self, args)),
    get: (_, name) => {
      if (name === 'unsafe') return (...args: Parameters<Sql['unsafe']>) => route(builder().unsafe(...args))
      return Reflect.get(builder(), name) as unknown
    },
  })

  return {
    sql,
    async alone(run) {
      const place = await new Promise<PoolSlot>((start) => enter({ is: 'transaction', start }))
      try {
        return await run(place.line)
      } finally {
        release(place)
      }
    },
    async close() {
      closing = true
      await Promise.all(places.map(({ line }) => line.close()))
    },
  }
}

function run(place: PoolSlot, query: Query): void {
  place.running++
  place.send(query)
  const left = () => leave(place)
  query.then(left, left)
}

function take(place: PoolSlot, start: () => void): void {
  place.taken = true
  if (place.running === 0) start()
  else place.next = start
}

function leave(place: PoolSlot): void {
  place.running--
  if (place.running > 0 || !place.next) return
  const start = place.next
  place.next = undefined
  start()
}

/** The first idle one, so that no more connections are opened than needed. */
function leastBusy(places: PoolSlot[]): PoolSlot | undefined {
  let least: PoolSlot | undefined
  for (const place of places) {
    if (place.taken) continue
    if (place.running === 0) return place
    if (!least || place.running < least.running) least = place
  }
  return least
}

function isQuery(made: unknown): made is Query {
  return typeof made === 'object' && made !== null && 'handler' in made
}
