import { expect, vi } from 'vitest'

import type { Harness, TestCompany } from '../index.ts'
import { webhookSink } from '../peers/webhook-sink.ts'
import { expectFullPayload } from '../texts/event-payload.ts'

const PATIENCE = { timeout: 30_000 }

const EVENTS = [
  'call.initiated',
  'call.outside_business_hours',
  'call.queued',
  'call.answered',
  'call.ended',
  'call.lost',
  'voicemail.new',
]

/** The payloads of a company's call events, in order; other events can be requested. */
export async function followCallEvents(bellhop: Harness, company: TestCompany, events: string[] = EVENTS) {
  const sink = await webhookSink()
  const made = await company.api.post('/webhooks', { name: 'All', url: sink.url, events })
  expect(made.status).toBe(201)
  return async () => {
    await bellhop.deliverWebhooks()
    const told = sink.received
      .toSorted((a, b) => a.body.timestamp.localeCompare(b.body.timestamp))
      .map(({ body }) => body)
    await expectFullPayload(company, told)
    return told
  }
}

/** The newest call of a company. */
export async function lastCall(company: TestCompany) {
  return (await company.api.get('/calls')).body.calls[0]
}

export function callIs(company: TestCompany, state: string) {
  return vi.waitFor(async () => {
    const call = await lastCall(company)
    expect(call?.state).toBe(state)
    return call
  }, PATIENCE)
}

/** Polls until the condition holds. */
export const eventually = <T>(look: () => Promise<T> | T) => vi.waitFor(look, PATIENCE)
