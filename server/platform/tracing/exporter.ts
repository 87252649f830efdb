import { inBackground } from '../background.ts'
import { type Clock, withTimeout } from '../clock.ts'
import type { Log } from '../log.ts'
import { TRACING_LIMITS } from './limits.ts'
import type { FinishedSpan } from './span.ts'

/** Undefined if the collector has them; otherwise why not, and whether it may take them later. */
export type SendSpans = (spans: FinishedSpan[]) => Promise<{ reason: string; isPassing: boolean } | undefined>

/** Sends spans in batches, one at a time. Nobody waits for it, and a collector that is away costs a line in the log. */
export function createExporter({ clock, log, send }: { clock: Clock; log: Log; send: SendSpans }) {
  const waiting: FinishedSpan[] = []
  let dropped = 0
  /** In a row. */
  let failures = 0
  let callOffNext: (() => void) | undefined
  let sending: Promise<boolean> | undefined
  let isStopped = false

  function add(span: FinishedSpan): void {
    if (isStopped) return
    if (waiting.length >= TRACING_LIMITS.waitingMax) {
      dropped++
      return
    }
    waiting.push(span)
    if (failures === 0 && waiting.length >= TRACING_LIMITS.batchMax) sendNow()
    else sendLater()
  }

  function sendLater(): void {
    if (callOffNext || sending || isStopped) return
    const pauseMs = Math.min(TRACING_LIMITS.batchMs * 2 ** failures, TRACING_LIMITS.retryMaxMs)
    callOffNext = clock.after(pauseMs, sendNow)
  }

  function sendNow(): void {
    callOffNext?.()
    callOffNext = undefined
    if (!sending) inBackground(log, 'send traces', sendBatch())
  }

  function sendBatch(): Promise<boolean> {
    sending ??= pass().finally(() => {
      sending = undefined
      if (waiting.length > 0) sendLater()
    })
    return sending
  }

  /** Returns whether the collector took them. */
  async function pass(): Promise<boolean> {
    const batch = waiting.slice(0, TRACING_LIMITS.batchMax)
    const failure = await send(batch)
    if (!failure?.isPassing) waiting.splice(0, batch.length)
    if (failure) {
      if (!failure.isPassing) dropped += batch.length
      if (failures === 0)
        log.warn(
          { reason: failure.reason },
          'the collector does not take traces; calls go on, and this is logged once until it does',
        )
      failures++
    } else if (failures > 0) {
      log.info({ dropped }, 'the collector takes traces again')
      failures = 0
      dropped = 0
    }
    return !failure
  }

  async function flush(): Promise<void> {
    let isTaken = (await sending) ?? failures === 0
    while (isTaken && waiting.length > 0) isTaken = await sendBatch()
  }

  return {
    add,
    /** Sends what waits, but not for long. */
    async stop(): Promise<void> {
      isStopped = true
      callOffNext?.()
      await withTimeout(clock, TRACING_LIMITS.flushMs, flush())
    },
  }
}
