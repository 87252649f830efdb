import { systemClock } from '../../../server/platform/clock.ts'
import { createLog } from '../../../server/platform/log.ts'
import {
  type IncomingCall,
  isSipUri,
  type TrunkChange,
  type TrunkConfig,
  type Uri,
  UserAgent,
} from '../../../server/sip/index.ts'
import type { Chance } from '../chance.ts'
import type { Employee } from '../stage/furnish.ts'
import { HOSTS } from '../stage/network.ts'
import { SIP_PORT, type Stage } from '../stage/stage.ts'
import { type Leg, takePart } from './leg.ts'
import { openSound } from './sound.ts'

const REGISTRATION_SECONDS = 60
/** The edge that each is tried at first. */
const WAYS = ['first', 'second'] as const

/** What a phone does when it rings; it answers, unless told otherwise. */
export type Manner = 'answers' | 'declines' | 'rings'

export interface Phone {
  employee: Employee
  /** By its own belief; undefined while it is not. */
  registeredUntil(): number | undefined
  /** How it treats the next calls, and who is told of each. */
  manner: Manner
  onCall: ((leg: Leg) => void) | undefined
  /** Calls that it has now. */
  legs: Set<Leg>
  dial(number: string): Promise<Leg>
}

/** The carrier outside, and the phones inside: all that Bellhop is between. */
export interface Exchange {
  phones: Map<string, Phone>
  phoneOf(employee: Employee): Phone
  /** Somebody outside calls a number, through the edge of this index if it takes the call, else through another. */
  dial(number: string, edge?: number): Promise<Leg>
  /** Calls of people outside. */
  outside: Set<Leg>
  close(): Promise<void>
}

export async function openExchange(stage: Stage, chance: Chance): Promise<Exchange> {
  const { network, company } = stage
  const edges = stage.rolesOf('edge').map(({ host }) => host)
  const ordered = (first: number) => [...edges.slice(first), ...edges.slice(0, first)]
  const sound = openSound(network.address(HOSTS.carrier))
  const log = createLog({ level: 'silent' })
  const agentOf = (
    trunks: TrunkConfig[],
    onInvite: (call: IncomingCall) => void,
    onTrunk?: (change: TrunkChange) => void,
  ) =>
    new UserAgent({
      clock: systemClock,
      log,
      realm: 'chaos',
      secret: Buffer.from('chaos'),
      accounts: { find: () => Promise.resolve(undefined) },
      trunks,
      onInvite,
      ...(onTrunk && { onTrunk }),
    })

  const phones = new Map<string, Phone>()
  const outside = new Set<Leg>()
  const join = (legs: Set<Leg>, leg: Leg) => {
    legs.add(leg)
    void leg.ended.then(() => legs.delete(leg))
    return leg
  }
  /** Takes a call as a phone does. */
  async function take(call: IncomingCall, manner: Manner, legs: Set<Leg>): Promise<Leg | undefined> {
    if (manner === 'declines') {
      call.reject(603)
      return undefined
    }
    const party = await sound.openParty()
    const number = userOf(legs === outside ? call.uri : call.from.uri)
    const leg = join(legs, takePart(call, party, number, call.body))
    if (manner === 'rings') call.ring()
    else call.accept(party.sdp())
    return leg
  }

  const carrier = agentOf(
    WAYS.map((way, first) => trunkTo(way, ordered(first), edges)),
    (call) => void take(call, 'answers', outside),
  )
  await carrier.listen({ protocol: 'udp', host: network.address(HOSTS.carrier), port: SIP_PORT })

  const registered = new Map<string, number>()
  const desk = agentOf([], receive, (change) => {
    if (!('registration' in change)) return
    const { trunk, registration } = change
    if (registration.in === 'registered') registered.set(trunk, registration.until.getTime())
    if (registration.in === 'failed') registered.delete(trunk)
  })
  function receive(call: IncomingCall): void {
    const phone = phones.get(userOf(call.uri))
    if (!phone || phone.legs.size > 0) return call.reject(486)
    const { manner, onCall } = phone
    void take(call, manner, phone.legs).then((leg) => leg && onCall?.(leg))
  }
  await desk.listen({ protocol: 'udp', host: network.address(HOSTS.phones), port: SIP_PORT })
  const employees = [...company.desks, ...company.coworkers, company.shy].filter(({ device }) => device)
  for (const employee of employees) phones.set(employee.device!.username, newPhone(employee))
  function newPhone(employee: Employee): Phone {
    const credentials = employee.device!
    const legs = new Set<Leg>()
    return {
      employee,
      registeredUntil: () => registered.get(credentials.username),
      manner: 'answers',
      onCall: undefined,
      legs,
      async dial(number) {
        const party = await sound.openParty()
        const from = { uri: uriOf(credentials.username, network.address(HOSTS.phones)), params: new Map() }
        const call = desk.invite(
          { to: 'trunk', trunk: credentials.username, number },
          { from, body: party.sdp(), credentials },
        )
        return join(legs, takePart(call, party, number))
      },
    }
  }
  desk.setTrunks(
    employees.map(({ device }, index) => ({
      ...trunkTo(device!.username, ordered(index % edges.length), edges),
      credentials: device!,
      registration: { user: device!.username, domain: edges[0]!, seconds: REGISTRATION_SECONDS },
    })),
  )
  let callers = 0
  return {
    phones,
    phoneOf: ({ device }) => phones.get(device!.username)!,
    outside,
    async dial(number, edge = chance.whole(0, WAYS.length - 1)) {
      const party = await sound.openParty()
      const caller = `+4521${String(callers++ % 1_000_000).padStart(6, '0')}`
      const from = { uri: uriOf(caller, network.address(HOSTS.carrier)), params: new Map() }
      const trunk = WAYS[edge]!
      const call = carrier.invite({ to: 'trunk', trunk, number }, { from, body: party.sdp() })
      return join(outside, takePart(call, party, caller))
    },
    async close() {
      await desk.close()
      await carrier.close()
      sound.close()
    },
  }
}

const userOf = (uri: Uri) => (isSipUri(uri) && uri.user) || ''
const uriOf = (user: string, host: string) => ({ scheme: 'sip', user, host, params: new Map() }) as const

function trunkTo(name: string, hosts: string[], addresses: string[]): TrunkConfig {
  return {
    name,
    hosts: hosts.map((host) => ({ host, port: SIP_PORT })),
    protocol: 'udp',
    addresses,
    probed: false,
    numberFormat: { style: 'e164' },
    codecs: ['PCMA'],
  }
}
