import { HOSTS } from '../environment/network.ts'
import type { RunningBellhop } from '../environment/running-bellhop.ts'
import type { SeededRandom } from '../random.ts'
import { type Leg, takePart } from './leg.ts'
import { join, openAgent, sipAddressOf, startingAt, take, trunkTo, userOf } from './sip-agent.ts'
import type { Sound } from './sound.ts'

/** All customers, who answer every call. */
export interface Carrier {
  /** Calls a number, through the edge of this index if it accepts the call, otherwise through another. */
  dial(number: string, edge?: number): Promise<Leg>
  /** Calls that are established. */
  legs: Set<Leg>
  close(): Promise<void>
}

export async function openCarrier(
  stage: RunningBellhop,
  chance: SeededRandom,
  sound: Sound,
): Promise<Carrier> {
  const { network } = stage
  const host = network.address(HOSTS.carrier)
  const edges = stage.rolesOf('edge').map((role) => role.host)
  const trunks = edges.map((_, first) => trunkTo(`way-${first}`, startingAt(edges, first), network))
  const legs = new Set<Leg>()
  const agent = await openAgent(host, network, {
    trunks,
    onInvite: (call) => void take(sound, call, { manner: 'answers', number: userOf(call.uri), legs }),
  })
  let callers = 0
  return {
    legs,
    async dial(number, edge = chance.whole(0, edges.length - 1)) {
      const party = await sound.openParty()
      const caller = `+4521${String(callers++ % 1_000_000).padStart(6, '0')}`
      const trunk = trunks[edge]!.name
      const call = agent.invite(
        { to: 'trunk', trunk, number },
        { from: sipAddressOf(caller, host), body: party.sdp() },
      )
      return join(legs, takePart(call, party, caller))
    },
    close: () => agent.close(),
  }
}
