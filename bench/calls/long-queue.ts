import { queueCall, startInboundCall } from '../../server/modules/calls/index.ts'
/**
 * Claim: the length of the queue hardly matters to an employee who becomes available. An employee switches do not
 * disturb on, which withdraws the offer of the ringing caller, and off, which offers the caller who has waited longest:
 * over HTTP, as a client does. With 1,000 waiting callers that is at least half as fast as with 10 (measured: 0.70, 9.6
 * ms instead of 7).
 */
import { createDevice } from '../../server/modules/devices/index.ts'
import { createVault } from '../../server/platform/crypto/crypto.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { withFixture, type Fixture } from '../fixture.ts'
import { type Bench, compare, type Contender, TIMINGS } from '../measure.ts'

const WAITING = { many: 1_000, few: 10 }

export const longQueue: Bench = {
  name: 'long-queue',
  run: () =>
    withFixture(async (fixture) => {
      const url = await fixture.startBellhop({ SIP_SIMULATOR: 'off' })
      const many = await queueOf(fixture, url, WAITING.many)
      const few = await queueOf(fixture, url, WAITING.few)
      const what = 'times a second that somebody becomes free and is offered to the first'
      const sides: [string, string] = [`${WAITING.many} waiting:`, `${WAITING.few} waiting:`]
      return [{ what, sides, goal: 0.5, ...(await compare(many, few, TIMINGS.steady)) }]
    }),
}

/** A company with this many callers in its queue, and one employee who may answer them. */
async function queueOf(fixture: Fixture, url: string, callers: number): Promise<Contender> {
  const { companyId, apiKey, numberIds } = await fixture.addCompany()
  const [numberId] = numberIds
  const [employee] = await fixture.sql<
    { id: string }[]
  >`select id from employees where company_id = ${companyId}`
  const edgeId = await edgeWithPhoneOf(fixture, companyId, employee!.id)
  const startedAt = new Date()
  for (let place = 0; place < callers; place++) {
    const remoteNumber = `+45${30_000_000 + place}`
    const joinedAt = new Date(startedAt.getTime() + place)
    const call = { companyId, numberId, edgeId, remoteNumber, startedAt }
    const callId = await fixture.db.tx((tx) => startInboundCall(tx, call))
    const waiting = { numberId, edgeId, employeeIds: [employee!.id], joinedAt, isFirst: true }
    await fixture.db.tx((tx) => queueCall(tx, { companyId, callId }, waiting))
  }
  const path = `${url}/api/v1/employees/${encodeId('emp', employee!.id)}/do_not_disturb`
  const put = async (enabled: boolean) => {
    const response = await fetch(path, {
      method: 'PUT',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ enabled }),
    })
    const { status } = (await response.json()) as { status: string }
    if (status !== (enabled ? 'do_not_disturb' : 'ringing')) throw new Error(`${response.status} ${status}`)
  }
  return async (ms) => {
    const start = performance.now()
    let times = 0
    for (; performance.now() - start < ms; times++) {
      await put(true)
      await put(false)
    }
    return (times / (performance.now() - start)) * 1_000
  }
}

/** The callers and the phone are at an edge that does not exist, which nothing detects while this runs. */
async function edgeWithPhoneOf({ db }: Fixture, companyId: string, employeeId: string): Promise<string> {
  return db.tx(async (tx) => {
    const [edge] = await tx<{ id: string }[]>`
      insert into edges (sip_host, sip_port, alive_at) values ('127.0.0.1', 1, now() + interval '1 hour') returning id`
    const device = await createDevice(tx, createVault('bench'), employeeId, {})
    await tx`
      insert into device_registrations (company_id, employee_id, device_id, username, key, edge_id, binding, expires_at)
      select ${companyId}, ${employeeId}, id, ${device.username}, 'key', ${edge!.id}, '{}', now() + interval '1 hour'
      from devices where company_id = ${companyId} and employee_id = ${employeeId}`
    return edge!.id
  })
}
