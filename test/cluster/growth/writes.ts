import { randomUUID } from 'node:crypto'

import {
  answerCall,
  endCall,
  queueCall,
  setCallState,
  startInboundCall,
} from '../../../server/modules/calls/index.ts'
import { createCallbackReceiver } from '../../../server/modules/messages/index.ts'
import { readTranscriptionStatus } from '../../../server/modules/transcripts/index.ts'
import { takeLeases } from '../../../server/modules/webhooks/delivery/lease-queries.ts'
import { deleteEventsBefore, selectDue } from '../../../server/modules/webhooks/delivery/queries.ts'
import { countOverdueDeliveries } from '../../../server/modules/webhooks/index.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import { createKeyRing } from '../../../server/platform/crypto/key-ring.ts'
import type { Database } from '../../../server/platform/db/database.ts'
import { countStuckJobs } from '../../../server/platform/jobs/queries.ts'
import type { MeasuredCompany } from './companies.ts'
import { BUSIEST } from './fill/series.ts'

const DELETED = 200

const leaseTerms = () => ({
  holder: randomUUID(),
  now: new Date(),
  until: new Date(Date.now() + 25_000),
})

/** What is not a list: what calls, texts and events write, what workers claim, and what is deleted by its age. */
export async function worksOf(
  db: Database,
  company: MeasuredCompany,
  secret: string,
): Promise<Record<string, () => Promise<void>>> {
  const { id: companyId, numberId, employeeId } = company
  const [edge] = await db.sql<{ id: string }[]>`
    insert into edges (sip_host, sip_port, alive_at) values ('127.0.0.1', 1, now() + interval '1 day') returning id`
  const edgeId = edge!.id
  const call = async (remoteNumber: string) => {
    const at = new Date()
    const start = { companyId, numberId, edgeId, remoteNumber, startedAt: at }
    const ref = { companyId, callId: await db.tx((tx) => startInboundCall(tx, start)) }
    await db.tx((tx) => setCallState(tx, ref, 'playing_audio'))
    const place = { numberId, edgeId, employeeIds: [employeeId], joinedAt: at, isFirst: true }
    await db.tx((tx) => queueCall(tx, ref, place))
    await db.tx((tx) => answerCall(tx, ref, { employeeId, at, state: 'bridged', recording: 'off' }))
    await db.tx((tx) => endCall(tx, ref, { at, reason: 'customer_hung_up' }))
  }
  const [number] = await db.sql<{ number: string }[]>`
    select number from business_numbers where company_id = ${companyId} and id = ${numberId}`
  const receive = createCallbackReceiver({
    db,
    clock: systemClock,
    // Nobody else is there.
    turns: { run: (_, work) => work({ shouldBeShort: false }) },
    texts: createKeyRing([{ id: '1', secret }]),
    providers: [
      {
        name: 'simulator',
        readCallback: () => ({
          kind: 'text',
          providerMessageId: randomUUID(),
          from: BUSIEST,
          to: number!.number,
          text: 'Is my order ready?',
          receivedAt: new Date(),
          parts: 1,
        }),
        send: () => Promise.reject(new Error('nothing is sent here')),
        close: () => Promise.resolve(),
      },
    ],
  })
  let strangers = 0
  return {
    'a call of somebody known': () => call(BUSIEST),
    'a call of somebody new': () => call(`+4531${String(strangers++).padStart(6, '0')}`),
    'a text, with its event': () => receive('simulator', { url: '/', headers: {}, body: Buffer.alloc(0) }),
    [`retention: ${DELETED} events`]: () => deleteOldest(db),
    'leases on endpoints': async () => {
      await takeLeases(db.sql, leaseTerms(), 100, [])
    },
    'deliveries that are due': async () => {
      const wanted = { companyId, subscriptionId: company.subscriptionId, room: 20 }
      await selectDue(db.sql, randomUUID(), [wanted], [], new Date())
    },
    'gauge of overdue deliveries': async () => void (await countOverdueDeliveries(db.sql, 60)),
    'gauge of transcripts': async () => void (await readTranscriptionStatus(db.sql)),
    'gauge of jobs': async () => void (await countStuckJobs(db.sql, 60)),
  }
}

/** As many as are old enough in each round: in both databases the same number. */
async function deleteOldest(db: Database) {
  const [row] = await db.sql<{ at: Date }[]>`
    select created_at as at from events order by created_at offset ${DELETED} limit 1 /* pg_stat_statements */`
  if (row) await deleteEventsBefore(db.sql, row.at, DELETED * 2)
}
