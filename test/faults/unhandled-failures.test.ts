import { expect, test } from 'vitest'

import { callIs, eventually } from '../harness/calls/call-events.ts'
import { openPhoneSystem } from '../harness/calls/phone-system.ts'
import { startProcessConversation } from '../harness/calls/process-conversation.ts'
import { expectNoLiveRows } from '../harness/processes/no-live-rows.ts'

const BELLHOP_SECRET = 'a secret of all processes of the test'
const phoneSystem = await openPhoneSystem({ BELLHOP_SECRET })
const { bellhop, dial } = phoneSystem

/** A module that runs before the program: on a signal, it does what a bug would. */
const bug = (code: string) => `data:text/javascript,process.on('SIGUSR2',()=>{${code}})`
const REJECTION = bug('Promise.reject(new Error("a bug of the test"))')
const EXCEPTION = bug('setTimeout(()=>{throw new Error("a bug of the test")})')

test.each([
  ['rejection', 'an edge', 'edge', REJECTION],
  ['exception', 'an edge', 'edge', EXCEPTION],
  ['rejection', 'a process with all roles', 'serve', REJECTION],
] as const)(
  'an unhandled %s ends no call of %s: it takes nothing new, and exits after the last',
  async (_, __, role, preload) => {
    const { edge, company, number, customer, phone } = await startProcessConversation(
      phoneSystem,
      { BELLHOP_SECRET, SIP_SIMULATOR: 'off' },
      { role, preload },
    )
    expect((await fetch(`${edge.url}/readyz`)).status).toBe(200)

    edge.signal('SIGUSR2')
    await eventually(async () => expect((await fetch(`${edge.url}/readyz`)).status).toBe(503))
    const refused = await dial(number, { over: 'process' })
    expect(await refused.ended()).toMatchObject({ why: 'refused', status: 503 })
    // Once more: a process that drains is not hurried by the next failure.
    edge.signal('SIGUSR2')
    await eventually(() => expect(edge.stderr().match(/a bug of the test/g)!.length).toBeGreaterThan(1))
    phone.say(900)
    await Promise.all([customer.hears(900), phone.hears(440)])

    phone.hangUp()
    await customer.ended()
    expect(await edge.ended).toBe(1)
    await callIs(company, 'ended')
    await expectNoLiveRows(bellhop)
    expect(edge.stderr()).toContain('an unhandled error')
  },
)
