import type { Socket } from 'node:net'

import { type Client, DatabaseError } from 'pg'

import { systemClock, withTimeout } from '../../clock.ts'
import { PLATFORM_LIMITS } from '../../limits.ts'
import { connectionClosed, isReadOnly } from './connection.ts'

type Run<T> = (client: Client) => Promise<T>

export interface Pool {
  /** Runs a query on the least busy connection, which other queries may share. */
  share<T>(run: Run<T>): Promise<T>
  /** Gives `run` a connection of its own. */
  reserve<T>(run: Run<T>): Promise<T>
  /** Connections that nothing uses at the moment, opened or not. */
  countIdle(): number
  close(): Promise<void>
}

interface Slot {
  /** Opened on first use, and again after a loss. */
  client: Promise<Client> | undefined
  running: number
  /** When a query was last sent on the idle connection, or answered. */
  movedAt: number
  isReserved: boolean
  /** Resumes the transaction that has reserved the connection, once its running queries have ended. */
  next: (() => void) | undefined
  /** It was used since idle connections were last closed. */
  isUsed: boolean
}

/** Queries share a connection; a transaction reserves one. Both in the order of arrival. */
export function openPool(
  { size, idleMs }: { size: number; idleMs: number },
  open: (options: { sockets: Set<Socket>; onLost(): void }) => Promise<Client>,
): Pool {
  const slots = Array.from({ length: size }, (): Slot => {
    return {
      client: undefined,
      running: 0,
      movedAt: 0,
      isReserved: false,
      next: undefined,
      isUsed: false,
    }
  })
  /** Each tries to start, and returns whether it did. */
  const waiting: (() => boolean)[] = []
  const sockets = new Set<Socket>()
  let isClosed = false
  let callOffClosing: (() => void) | undefined

  const enter = (is: 'query' | 'transaction') =>
    new Promise<Slot>((start) => {
      const tryToStart = () => {
        const slot = leastBusy(slots)
        if (!slot) return false
        if (slot.running === 0) slot.movedAt = now()
        if (is === 'query') slot.running++
        else slot.isReserved = true
        if (is === 'query' || slot.running === 0) start(slot)
        else slot.next = () => start(slot)
        return true
      }
      if (waiting.length > 0 || !tryToStart()) waiting.push(tryToStart)
    })

  function startWaiting(): void {
    while (waiting[0]?.()) waiting.shift()
  }

  function connect(slot: Slot): Promise<Client> {
    if (isClosed) throw connectionClosed()
    const forget = () => {
      if (slot.client === client) slot.client = undefined
    }
    callOffClosing ??= systemClock.after(idleMs, closeIdle)
    const client = open({ sockets, onLost: forget })
    client.catch(forget)
    return client
  }

  /** Each connection is a process of PostgreSQL. The first one stays. */
  function closeIdle(): void {
    callOffClosing = undefined
    for (const slot of slots.slice(1)) {
      if (!slot.isUsed && slot.running === 0 && !slot.isReserved) {
        // What cannot be closed is closed already.
        slot.client?.then((client) => client.end()).catch(() => {})
        slot.client = undefined
      }
      slot.isUsed = false
    }
    if (slots.slice(1).some(({ client }) => client !== undefined))
      callOffClosing = systemClock.after(idleMs, closeIdle)
  }

  async function use<T>(slot: Slot, run: Run<T>): Promise<T> {
    slot.isUsed = true
    const opening = (slot.client ??= connect(slot))
    const client = await opening
    try {
      return await run(client)
    } catch (error) {
      if (isStale(error) || isReadOnly(error)) {
        if (slot.client === opening) slot.client = undefined
        await client.end()
      }
      throw error
    }
  }

  async function share<T>(run: Run<T>): Promise<T> {
    const slot = await enter('query')
    try {
      return await use(slot, run)
    } finally {
      slot.running--
      slot.movedAt = now()
      if (slot.running === 0) {
        slot.next?.()
        slot.next = undefined
      }
      startWaiting()
    }
  }

  return {
    share: (run) =>
      share(run).catch((error: unknown) => {
        if (isStale(error)) return share(run)
        throw error
      }),
    async reserve(run) {
      const slot = await enter('transaction')
      try {
        return await use(slot, run)
      } finally {
        slot.isReserved = false
        startWaiting()
      }
    },
    countIdle: () => slots.filter(({ running, isReserved }) => running === 0 && !isReserved).length,
    async close() {
      isClosed = true
      callOffClosing?.()
      const clients = slots.map(async ({ client }) => (await client)?.end())
      await withTimeout(systemClock, PLATFORM_LIMITS.closeSeconds * 1_000, Promise.allSettled(clients))
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** The connection prepared the statement before a migration. Nothing has run, and only another connection can. */
const isStale = (error: unknown) =>
  error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery'

/** The first idle one, so that no more connections are opened than needed. */
function leastBusy(slots: Slot[]): Slot | undefined {
  let least: Slot | undefined
  for (const slot of slots) if (!slot.isReserved && slot.running < (least?.running ?? Infinity)) least = slot
  return least && isStalled(least) ? slots.find((slot) => !slot.isReserved && !isStalled(slot)) : least
}

/** PostgreSQL runs the queries of a connection one after the other, so the next would wait for a slow one. */
const isStalled = ({ running, movedAt }: Slot) => running > 0 && now() - movedAt > PLATFORM_LIMITS.slowQueryMs

const now = () => systemClock.now().getTime()
