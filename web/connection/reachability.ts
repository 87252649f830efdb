import { useSyncExternalStore } from 'react'

import { createListeners } from '../ui/listeners.ts'

const LIMITS = {
  /** The service responds in milliseconds; this is for bad networks. */
  probeMs: 6_000,
  /** Between two probes while it cannot be reached, and at most as much again, so that not all browsers ask at once. */
  probeEveryMs: 1_500,
  /** A request that takes longer makes us ask whether anybody is there. */
  slowMs: 8_000,
  /** The live channel reconnects by itself; only a longer interruption is worth a word. */
  liveLostMs: 10_000,
}

/** A request did not reach the service, or its response was lost: the outcome is unknown. */
export class Unreachable extends Error {
  constructor(cause?: unknown) {
    super('the service cannot be reached', { cause })
    this.name = 'Unreachable'
  }
}

export interface Connection {
  /** Judged by responses: a browser only knows its own network, and may be wrong about that. */
  isReachable: boolean
  /** Whether changes arrive by themselves. */
  isLive: boolean
  /** Whether the phone of this page, which is on, has lost the connection of its own over which calls arrive. */
  isPhoneLost: boolean
}

/** Said in the same words wherever the connection is shown. */
export const isOffline = ({ isReachable, isPhoneLost }: Connection) => !isReachable || isPhoneLost

let connection: Connection = { isReachable: true, isLive: true, isPhoneLost: false }
const { subscribe, tell } = createListeners()
const unanswered = new Set<AbortController>()
let probe: Promise<void> | undefined
let liveLost: ReturnType<typeof setTimeout> | undefined

function set(part: Partial<Connection>): void {
  const next = { ...connection, ...part }
  if (Object.entries(connection).every(([name, is]) => next[name as keyof Connection] === is)) return
  connection = next
  tell()
}

export const useConnection = () => useSyncExternalStore(subscribe, () => connection)

export const isReachable = () => connection.isReachable

/** Calls the listener each time the service can be reached again. */
export function onReturn(listener: () => void): () => void {
  let before = connection.isReachable
  return subscribe(() => {
    const returned = connection.isReachable && !before
    before = connection.isReachable
    if (returned) listener()
  })
}

/** Resolves as soon as the service has responded, however long that takes. */
export function untilReachable(): Promise<void> {
  probe ??= ask().finally(() => (probe = undefined))
  return probe
}

/** Something went wrong that may mean that the service cannot be reached. */
export const doubtConnection = () => void untilReachable()

async function ask(): Promise<void> {
  while (!(await responds())) {
    set({ isReachable: false })
    // Nothing will come of them, and some would hang for minutes.
    for (const each of unanswered) each.abort()
    await pause(LIMITS.probeEveryMs * (1 + Math.random()))
  }
  set({ isReachable: true })
}

async function responds(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(LIMITS.probeMs)
    const response = await fetch('/healthz', { cache: 'no-store', signal })
    // Unread, it would keep one of the browser's few connections until the time is up.
    await response.arrayBuffer()
    return !isFromGateway(response)
  } catch {
    return false
  }
}

/** Waits, but no longer than until the browser has a network again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    window.addEventListener('online', done)
  })
}

/** A reverse proxy responds for a service that does not. */
const isFromGateway = ({ status, headers }: Response) =>
  [502, 503, 504].includes(status) && !headers.get('content-type')?.includes('json')

/** `fetch`, which throws Unreachable if there is no response of the service. */
export async function fetchFromService(request: Request): Promise<Response> {
  const gaveUp = new AbortController()
  const slow = setTimeout(doubtConnection, LIMITS.slowMs)
  unanswered.add(gaveUp)
  try {
    const response = await fetch(request, { signal: gaveUp.signal })
    if (isFromGateway(response)) throw new Error(`a gateway responded with ${response.status}`)
    return response
  } catch (error) {
    doubtConnection()
    throw new Unreachable(error)
  } finally {
    clearTimeout(slow)
    unanswered.delete(gaveUp)
  }
}

/** The live channel is connected, or is not. */
export function liveIs(isConnected: boolean): void {
  if (isConnected) {
    clearTimeout(liveLost)
    liveLost = undefined
    return set({ isLive: true })
  }
  liveLost ??= setTimeout(() => set({ isLive: false }), LIMITS.liveLostMs)
  doubtConnection()
}

/** The phone has lost its connection, or has it, or needs none. */
export function phoneIsLost(isPhoneLost: boolean): void {
  if (isPhoneLost && !connection.isPhoneLost) doubtConnection()
  set({ isPhoneLost })
}

/** Browsers report a lost network at once, sometimes wrongly: so it is checked. */
export function watchNetwork(): () => void {
  window.addEventListener('offline', doubtConnection)
  return () => window.removeEventListener('offline', doubtConnection)
}
