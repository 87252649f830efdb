/**
 * Claims: neither the length of the queue nor the size of the company matters much to an employee who becomes
 * available. An employee switches do not disturb on, which withdraws the offer of the ringing caller, and off, which
 * offers the caller who has waited longest: over HTTP, as a client does. With 1,000 waiting callers that is at least
 * half as fast as with 10 (measured: 0.73-0.84), and with 480 coworkers, whose phones are registered, at least 0.85 times
 * as fast as with 40 (measured: 0.92; 0.31 when the status of everybody was computed).
 */
import { queueCall, startInboundCall } from '../../server/modules/calls/index.ts'
import { createDevice } from '../../server/modules/devices/index.ts'
import { createEmployeeWithPassword } from '../../server/modules/employees/index.ts'
import { createVault, randomToken } from '../../server/platform/crypto/crypto.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { withFixture, type Fixture } from '../fixture.ts'
import { type Bench, compare, type Contender, TIMINGS } from '../measure.ts'

const WAITING = { many: 1_000, few: 10 }
const COWORKERS = { many: 480, few: 40 }

export const queue: Bench = {
  name: 'queue',
  run: () =>
    withFixture(async (fixture) => {
      const url = await fixture.startBellhop({ SIP_SIMULATOR: 'off' })
      const withCallers = (callers: number) => startTurns(fixture, url, { callers, coworkers: 0 })
      const withCoworkers = (coworkers: number) =>
        startTurns(fixture, url, { callers: WAITING.few, coworkers })
      const what = 'times a second that somebody becomes free and is offered to the first'
      const ofQueues = await compare(
        await withCallers(WAITING.many),
        await withCallers(WAITING.few),
        TIMINGS.steady,
      )
      const ofCompanies = await compare(
        await withCoworkers(COWORKERS.many),
        await withCoworkers(COWORKERS.few),
        TIMINGS.steady,
      )
      return [
        { what, sides: [`${WAITING.many} waiting:`, `${WAITING.few} waiting:`], goal: 0.5, ...ofQueues },
        {
          what,
          sides: [`${COWORKERS.many} employees:`, `${COWORKERS.few} employees:`],
          goal: 0.85,
          ...ofCompanies,
        },
      ]
    }),
}

/** A company with this many callers in its queue, one employee who may answer them, and coworkers who are available. */
async function startTurns(
  fixture: Fixture,
  url: string,
  { callers, coworkers }: { callers: number; coworkers: number },
): Promise<Contender> {
  const { companyId, apiKey, numberIds } = await fixture.addCompany()
  const [numberId] = numberIds
  const [employee] = await fixture.sql<
    { id: string }[]
  >`select id from employees where company_id = ${companyId}`
  const edgeId = await addEdge(fixture)
  await addPhone(fixture, { companyId, employeeId: employee!.id, edgeId })
  for (let serial = 0; serial < coworkers; serial++) {
    const email = `${serial}@${companyId}.example`
    const coworker = { name: `Coworker ${serial}`, email, password: randomToken() }
    const { id } = await fixture.db.tx((tx) =>
      createEmployeeWithPassword(tx, { companyId }, coworker, neverSignsIn),
    )
    await addPhone(fixture, { companyId, employeeId: id, edgeId })
  }
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

/** In place of a hash, which takes longer than everything else here. */
const neverSignsIn = () => Promise.resolve('none')

/** The callers and the phones are at an edge that does not exist, which nothing detects while this runs. */
async function addEdge({ sql }: Fixture): Promise<string> {
  const [edge] = await sql<{ id: string }[]>`
    insert into edges (sip_host, sip_port, alive_at) values ('127.0.0.1', 1, now() + interval '1 hour') returning id`
  return edge!.id
}

async function addPhone(
  { db }: Fixture,
  { companyId, employeeId, edgeId }: { companyId: string; employeeId: string; edgeId: string },
): Promise<void> {
  await db.tx(async (tx) => {
    const device = await createDevice(tx, createVault('bench'), employeeId, {})
    await tx`
      insert into device_registrations (company_id, employee_id, device_id, username, key, edge_id, binding, expires_at)
      select ${companyId}, ${employeeId}, id, ${device.username}, 'key', ${edgeId}, '{}', now() + interval '1 hour'
      from devices where company_id = ${companyId} and employee_id = ${employeeId}`
  })
}
