/** The program of the thread in thread.ts. */
import { parentPort, workerData } from 'node:worker_threads'

import { systemClock } from '../../../../platform/clock.ts'
import { LIMITS } from '../../limits.ts'
import { sendHere } from './here.ts'
import type { Endpoint, Parcel } from './parcel.ts'
import type { Outcome } from './post.ts'
import type { Ended } from './sender.ts'

export interface ThreadOptions {
  allowInsecure: boolean
}

export type ToThread =
  | { do: 'open'; subscriptionId: string; endpoint: Endpoint; until: number }
  | { do: 'send'; subscriptionId: string; parcels: Parcel[] }
  | { do: 'close'; subscriptionId: string }
  | { do: 'callOffAll' }

/** Outcomes in columns: objects would repeat their field names, which takes longer than the values. */
export interface FromThread {
  subscriptionIds: string[]
  ids: string[]
  outcomes: Outcome[]
  starts: number[]
  ends: number[]
}

const { allowInsecure } = workerData as ThreadOptions
const sender = sendHere({ allowInsecure, clock: systemClock }, report)
let ended = none()

function none(): FromThread {
  return { subscriptionIds: [], ids: [], outcomes: [], starts: [], ends: [] }
}

function report({ subscriptionId, id, outcome, start, end }: Ended): void {
  if (ended.ids.length === 0) systemClock.after(LIMITS.reportMs, flush)
  ended.subscriptionIds.push(subscriptionId)
  ended.ids.push(id)
  ended.outcomes.push(outcome)
  ended.starts.push(start)
  ended.ends.push(end)
}

function flush(): void {
  parentPort!.postMessage(ended)
  ended = none()
}

function follow(message: ToThread): void {
  switch (message.do) {
    case 'open':
      return sender.open(message.subscriptionId, message.endpoint, message.until)
    case 'send':
      return sender.send(message.subscriptionId, message.parcels)
    case 'close':
      return sender.close(message.subscriptionId)
    case 'callOffAll':
      return sender.callOffAll()
  }
}

parentPort!.on('message', (messages: ToThread[]) => messages.forEach(follow))
