import { z } from 'zod'

import type { Database } from '../../platform/db/database.ts'
import { publish } from '../../platform/db/pubsub.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { deleteCommand, insertQuestions } from './command-queries.ts'
import { awaitCommand, EDGE_CHANNEL, type EdgeCommandOutcome } from './commands.ts'
import { EDGE_HEARTBEAT } from './limits.ts'
import type { EdgeAddress } from './queries.ts'

const IsoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})

/** What an operator may ask every edge. Commands concern one call, and change it. */
export const EdgeQuestion = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('trunks') }),
  z.object({
    ask: z.literal('trace'),
    call_id: z.uuid().optional(),
    sip_call_id: z.string().max(1_000).optional(),
  }),
])
export type EdgeQuestion = z.output<typeof EdgeQuestion>

export const TrunksAnswer = z.object({
  trunks: z.array(
    z.object({
      name: z.string(),
      hosts: z.array(z.object({ place: z.string(), isUp: z.boolean(), probedAt: IsoDate.optional() })),
      isProbed: z.boolean(),
      // An edge of the previous version does not say the following.
      protocol: z.enum(['udp', 'tcp', 'tls']).optional(),
      calls: z.int().optional(),
      lastFailure: z
        .object({
          at: IsoDate,
          of: z.enum(['options', 'registration', 'call']),
          status: z.int().optional(),
          place: z.string().optional(),
        })
        .optional(),
      registration: z
        .discriminatedUnion('in', [
          z.object({ in: z.literal('registering') }),
          z.object({ in: z.literal('registered'), until: IsoDate }),
          z.object({ in: z.literal('failed'), status: z.number().optional() }),
        ])
        .optional(),
    }),
  ),
})

export type TrunksAnswer = z.output<typeof TrunksAnswer>

export const TraceAnswer = z.object({
  messages: z.array(
    z.object({
      at: IsoDate,
      direction: z.enum(['in', 'out']),
      peer: z.string(),
      sipCallId: z.string(),
      text: z.string(),
    }),
  ),
})
export type TraceAnswer = z.output<typeof TraceAnswer>

export type EdgeAnswer<T> = EdgeAddress & ({ ok: true; value: T } | { ok: false })

/** Asks all edges that send heartbeats, and waits for their answers, each for no longer than the limit. */
export async function askEdges<T>(
  parts: { db: Database } & Dependencies<'pubsub' | 'clock'>,
  question: EdgeQuestion,
  answer: z.ZodType<T>,
  limitMs: number,
): Promise<EdgeAnswer<T>[]> {
  const { db } = parts
  const asked = await db.tx(async (tx) => {
    const rows = await insertQuestions(tx, EdgeQuestion.parse(question), EDGE_HEARTBEAT.timeoutSeconds)
    for (const { edge_id } of rows) await publish(tx, EDGE_CHANNEL, `${edge_id} command`)
    return rows
  })
  return Promise.all(
    asked.map(async ({ company_id: companyId, id, sip_host, sip_port }) => {
      const outcome = await awaitCommand(parts, { companyId, id }, limitMs)
      // A trace has phone numbers, which need not stay here until the hourly clean-up.
      await deleteCommand(db.sql, companyId, id)
      return readAnswer({ sip_host, sip_port }, outcome, answer)
    }),
  )
}

function readAnswer<T>(edge: EdgeAddress, outcome: EdgeCommandOutcome, answer: z.ZodType<T>): EdgeAnswer<T> {
  // An edge of an earlier version knows no questions.
  const read = outcome.ok ? answer.safeDecode(outcome.answer) : undefined
  return read?.success ? { ...edge, ok: true, value: read.data } : { ...edge, ok: false }
}
