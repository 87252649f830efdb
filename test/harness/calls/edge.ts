import { onTestFinished } from 'vitest'

import { createDevice } from '../../../server/modules/devices/index.ts'
import { type Clock, systemClock } from '../../../server/platform/clock.ts'
import { createVault } from '../../../server/platform/crypto/crypto.ts'
import { startEdge } from '../../../server/roles/edge.ts'
import { type IncomingCall, MessageTrace, type UserAgentOptions } from '../../../server/sip/index.ts'
import type { CreateCallControl } from '../../../server/telephony/port.ts'
import { installationSecret } from '../../../server/wiring/secret.ts'
import type { Harness, TestCompany } from '../index.ts'
import { loopbackTrunk, startAgent } from '../sip/agent.ts'
import { AsyncQueue } from '../sip/async-queue.ts'

/** An edge of the installation, on a free port, for one test. */
export async function startTestEdge(bellhop: Harness, createControl?: CreateCallControl) {
  const edge = await startEdge({ ...bellhop.parts, ...(createControl && { createControl }) })
  onTestFinished(() => edge.stop())
  return edge
}

export async function newDevice({ parts, db }: Harness, { employeeId }: Pick<TestCompany, 'employeeId'>) {
  const vault = createVault(await installationSecret(parts.config, parts.log))
  return db.tx((tx) => createDevice(tx, vault, employeeId, {}))
}

/** A phone that registers and records its calls; it uses our own user agent, which registers as at a carrier. */
export async function startRegisteredPhone(account: {
  username: string
  password: string
  port: number
  /** The address of the edge, and of the phone. */
  host?: string
  protocol?: 'udp' | 'tcp'
  /** Registers by TLS instead. */
  tls?: UserAgentOptions['tls'] | undefined
  clock?: Clock
}) {
  const { username, password, port, host = '127.0.0.1', tls, clock } = account
  const { protocol = tls ? 'tls' : 'udp' } = account
  const trunk = loopbackTrunk('edge', port, {
    hosts: [{ host, port }],
    addresses: [host],
    protocol,
    credentials: { username, password },
    registration: { user: username, domain: '127.0.0.1', seconds: 300 },
  })
  const trace = new MessageTrace(clock ?? systemClock)
  const phone = await startAgent({
    trunks: [trunk],
    hosts: [host],
    trace,
    ...(clock && { clock }),
    ...(tls && { tls }),
  })
  onTestFinished(() => phone.agent.close())
  const state = (wanted: 'registered' | 'failed') =>
    phone.trunkChanges.take((change) => 'registration' in change && change.registration.in === wanted)
  return {
    ...phone,
    /** What the phone sent and received. */
    trace,
    registered: () => state('registered'),
    refused: () => state('failed'),
    /** Deregisters and closes. */
    leave: () => phone.agent.setTrunks([]),
    registerAgain() {
      phone.agent.setTrunks([])
      phone.agent.setTrunks([trunk])
    },
  }
}

/** A call control that accepts calls and leaves them to the test. */
export function openTestControl() {
  const calls = new AsyncQueue<IncomingCall>()
  const noticed = new AsyncQueue<string>()
  const commands: { companyId: string; callId: string; command: unknown }[] = []
  const edgePorts: Parameters<CreateCallControl>[0][] = []
  let live = 0
  const idle: (() => void)[] = []
  const create: CreateCallControl = (edge) => {
    edgePorts.push(edge)
    return {
      handle: calls.put,
      execute(companyId, callId, command) {
        commands.push({ companyId, callId, command })
        return Promise.resolve({ did: command })
      },
      offersChanged: (companyId, callId) => noticed.put(`${companyId} ${callId}`),
      stopRinging() {},
      employeeDeleted() {},
      joinCalls: (_employeeId, _own, asked) => asked.refuse(603),
      releaseCoworker: () => undefined,
      employeesInCalls: () => [],
      resync() {},
      liveCalls: () => live,
      drained: () => new Promise((resolve) => (live === 0 ? resolve() : idle.push(resolve))),
      stop: async () => {},
    }
  }
  return {
    create,
    calls,
    noticed,
    commands,
    edgePorts,
    setLive(count: number) {
      live = count
      if (count === 0) for (const tell of idle.splice(0)) tell()
    },
  }
}
