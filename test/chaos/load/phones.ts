import type { IncomingCall, TrunkChange, UserAgent } from '../../../server/sip/index.ts'
import { HOSTS } from '../environment/network.ts'
import type { RunningBellhop } from '../environment/running-bellhop.ts'
import type { SeededEmployee } from '../environment/seed-company.ts'
import { type Leg, takePart } from './leg.ts'
import {
  type AnswerMode,
  join,
  openAgent,
  sipAddressOf,
  startingAt,
  take,
  trunkTo,
  userOf,
} from './sip-agent.ts'
import type { Sound } from './sound.ts'

/** Short, so that a phone whose edge has died soon registers at another. */
const REGISTRATION_SECONDS = 60

export interface ChaosPhone {
  employee: SeededEmployee
  /** As the phone sees it; undefined while it is not registered. */
  registeredUntil(): number | undefined
  /** How it handles the next calls, and who is notified of each. */
  manner: AnswerMode
  onCall: ((leg: Leg) => void) | undefined
  /** Its current calls. */
  legs: Set<Leg>
  dial(number: string): Promise<Leg>
}

export interface Phones {
  all: ChaosPhone[]
  of(employee: SeededEmployee): ChaosPhone
  close(): Promise<void>
}

/** The phones of all employees who have one, each registered at one of the edges. */
export async function openPhones(
  { network, company, ...stage }: RunningBellhop,
  sound: Sound,
): Promise<Phones> {
  const host = network.address(HOSTS.phones)
  const edges = stage.rolesOf('edge').map((role) => role.host)
  const phones = new Map<string, ChaosPhone>()
  const registered = new Map<string, number>()
  const agent = await openAgent(host, network, { onInvite: receive, onTrunk: note })

  function receive(call: IncomingCall): void {
    const phone = phones.get(userOf(call.uri))
    if (!phone || phone.legs.size > 0) return call.reject(486)
    const { manner, onCall, legs } = phone
    void take(sound, call, { manner, number: userOf(call.from.uri), legs }).then(
      (leg) => leg && onCall?.(leg),
    )
  }

  function note(change: TrunkChange): void {
    if (!('registration' in change)) return
    const { trunk, registration } = change
    if (registration.in === 'registered') registered.set(trunk, registration.until.getTime())
    if (registration.in === 'failed') registered.delete(trunk)
  }

  const employees = [...company.desks, ...company.coworkers, company.shy]
  for (const employee of employees) {
    const { username } = employee.device!
    const registeredUntil = () => registered.get(username)
    phones.set(username, newPhone(agent, sound, { employee, host, registeredUntil }))
  }
  agent.setTrunks(
    employees.map(({ device }, index) => {
      const trunk = trunkTo(device!.username, startingAt(edges, index % edges.length), network)
      const registration = { user: device!.username, domain: edges[0]!, seconds: REGISTRATION_SECONDS }
      return Object.assign(trunk, { credentials: device!, registration })
    }),
  )
  return {
    all: [...phones.values()],
    of: ({ device }) => phones.get(device!.username)!,
    close: () => agent.close(),
  }
}

function newPhone(
  agent: UserAgent,
  sound: Sound,
  { employee, host, registeredUntil }: Pick<ChaosPhone, 'employee' | 'registeredUntil'> & { host: string },
): ChaosPhone {
  const credentials = employee.device!
  const legs = new Set<Leg>()
  return {
    employee,
    registeredUntil,
    manner: 'answers',
    onCall: undefined,
    legs,
    async dial(number) {
      const party = await sound.openParty()
      const call = agent.invite(
        { to: 'trunk', trunk: credentials.username, number },
        { from: sipAddressOf(credentials.username, host), body: party.sdp(), credentials },
      )
      return join(legs, takePart(call, party, number))
    },
  }
}
