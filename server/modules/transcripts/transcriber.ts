import { randomUUID } from 'node:crypto'

import type { PubSub } from '../../platform/db/pubsub.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Recogniser, SpeechFailed } from '../../speech/port.ts'
import { failureOf, retryAfter, TRIES_MAX, UnusableRecording } from './failures.ts'
import { TRANSCRIPT_LIMITS } from './limits.ts'
import type { LocalCopies } from './local-copies.ts'
import {
  claimTask,
  failTask,
  finishTask,
  postponeTask,
  releaseTask,
  renewClaim,
  type TranscriptionTask,
} from './queries.ts'
import type { StoredRecording, Transcribable, TranscriptSubject } from './subject.ts'
import { TRANSCRIPTIONS_WAITING_CHANNEL } from './transcription-queue.ts'

export interface TranscriberParts extends Dependencies<'db' | 'clock' | 'log' | 'tracer'> {
  copies: LocalCopies
  recogniser: Recogniser
  kinds: Record<TranscriptSubject['kind'], Transcribable>
  /** How many recordings are transcribed at once. */
  atOnce: number
}

/** The part of a worker that transcribes recordings. */
export function createTranscriber(parts: TranscriberParts) {
  const { db, clock, log, copies, recogniser, kinds, atOnce, tracer } = parts
  const reported = new Set<string>()
  const state = { stopping: false }
  let lanes: Promise<void>[] = []
  let bell = createBell()

  const inMs = (ms: number) => new Date(clock.now().getTime() + ms)

  const claim = () =>
    claimTask(db.sql, { now: clock.now(), until: inMs(TRANSCRIPT_LIMITS.claimMs), claim: randomUUID() })

  async function transcribe(order: TranscriptionTask): Promise<void> {
    const { companyId, id } = order
    const recorded = await kinds[order.kind].find(companyId, id)
    if (!recorded) {
      await db.tx((tx) => finishTask(tx, order))
      return
    }
    const ofCall = recorded.callId === null ? undefined : tracer?.contextOf(recorded.callId)
    const span = ofCall && tracer?.start(ofCall, 'transcribe')
    try {
      await transcribeRecording(order, recorded)
    } catch (error) {
      span?.fail(failureOf(error).failure)
      throw error
    } finally {
      span?.end()
    }
  }

  async function transcribeRecording(
    order: TranscriptionTask,
    { recordingKey, language }: StoredRecording,
  ): Promise<void> {
    const { companyId, id } = order
    if (!recogniser.knows(language)) throw new SpeechFailed('language', `No engine here knows ${language}.`)
    const transcript = await copies.withCopy(recordingKey, (file) =>
      recogniser.transcribe({ file, language }),
    )
    const store = await kinds[order.kind].prepare(companyId, id, transcript, order.recordedFrom)
    await db.tx(async (tx) => {
      if (await finishTask(tx, order)) await store(tx)
    })
  }

  /** Renews the claim. */
  function keepClaim(order: TranscriptionTask): () => void {
    const renew = () => {
      renewClaim(db.sql, order, inMs(TRANSCRIPT_LIMITS.claimMs)).catch((error: unknown) =>
        log.warn({ err: error }, 'a claim could not be renewed, so a recording may be transcribed twice'),
      )
      callOff = clock.after(TRANSCRIPT_LIMITS.renewMs, renew)
    }
    let callOff = clock.after(TRANSCRIPT_LIMITS.renewMs, renew)
    return () => callOff()
  }

  async function work(order: TranscriptionTask): Promise<void> {
    const letGo = keepClaim(order)
    try {
      // Claimed this often and never finished: it crashes every worker.
      if (order.tries > TRIES_MAX)
        throw new UnusableRecording('The recording crashes every worker that transcribes it.')
      await transcribe(order)
    } catch (error) {
      if (state.stopping) await releaseTask(db.sql, order)
      else await settle(order, error)
    } finally {
      letGo()
    }
  }

  async function settle(order: TranscriptionTask, error: unknown): Promise<void> {
    const { failure, reason } = failureOf(error)
    const delayMs = failure === 'unavailable' ? retryAfter(order.tries) : undefined
    const subject = { kind: order.kind, id: order.id }
    if (delayMs === undefined) {
      await failTask(db.sql, order, failure, reason)
      // An unsupported language concerns the installation, not each call.
      if (failure !== 'language')
        log.warn({ ...subject, failure, reason }, 'a recording could not be transcribed')
      else if (!reported.has(reason))
        log.warn({ reason }, 'recordings in this language cannot be transcribed; this is logged once')
      if (failure === 'language') reported.add(reason)
    } else {
      await postponeTask(db.sql, order, inMs(delayMs), reason)
      log.info({ ...subject, reason, delayMs }, 'a transcription failed and will be retried')
    }
  }

  /** Until nothing is due. */
  async function lane(): Promise<void> {
    for (let order = await claim(); order; order = state.stopping ? undefined : await claim())
      await work(order)
  }

  async function keepGoing(): Promise<void> {
    while (!state.stopping) {
      const { rung } = bell
      await lane().catch((error: unknown) =>
        log.warn({ err: error }, 'transcription waits until the database responds'),
      )
      const callOff = clock.after(TRANSCRIPT_LIMITS.pollMs, () => ring())
      await rung
      callOff()
    }
  }

  function ring() {
    const { ring } = bell
    if (!state.stopping) bell = createBell()
    ring()
  }

  async function stop(): Promise<void> {
    state.stopping = true
    ring()
    await recogniser.close()
    await Promise.all(lanes)
  }

  let stopped: Promise<void> | undefined
  return {
    async start(pubsub: PubSub): Promise<void> {
      await copies.removeOld()
      await pubsub.subscribe(TRANSCRIPTIONS_WAITING_CHANNEL, { onMessage: ring, onGap: ring })
      lanes = Array.from({ length: atOnce }, keepGoing)
    },
    /** Transcribes what is due now, and returns when it is done. */
    async runDue(): Promise<void> {
      await Promise.all(Array.from({ length: atOnce }, lane))
    },
    /** Leaves running transcriptions to another worker; may be called twice. */
    stop: (): Promise<void> => (stopped ??= stop()),
  }
}

export type Transcriber = ReturnType<typeof createTranscriber>

function createBell() {
  let resolve: () => void
  const rung = new Promise<void>((done) => (resolve = done))
  return { rung, ring: () => resolve() }
}
