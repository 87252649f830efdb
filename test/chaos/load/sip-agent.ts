import { systemClock } from '../../../server/platform/clock.ts'
import { createLog } from '../../../server/platform/log.ts'
import {
  type IncomingCall,
  isSipUri,
  type TrunkConfig,
  type Uri,
  UserAgent,
  type UserAgentOptions,
} from '../../../server/sip/index.ts'
import type { Network } from '../environment/network.ts'
import { type Leg, takePart } from './leg.ts'
import type { Sound } from './sound.ts'

/** How a ringing phone reacts. */
export type AnswerMode = 'answers' | 'declines' | 'rings'

/** Our own signalling, at an address of the campaign's network. */
export async function openAgent(
  host: string,
  { ports }: Network,
  options: Pick<UserAgentOptions, 'onInvite' | 'onTrunk' | 'trunks'>,
): Promise<UserAgent> {
  const agent = new UserAgent({
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    realm: 'chaos',
    secret: Buffer.from('chaos'),
    accounts: { find: () => Promise.resolve(undefined) },
    ...options,
  })
  await agent.listen({ protocol: 'udp', host, port: ports.sip })
  return agent
}

/** A trunk to the edges, which are tried in this order. */
export function trunkTo(name: string, hosts: string[], { ports }: Network): TrunkConfig {
  return {
    name,
    hosts: hosts.map((host) => ({ host, port: ports.sip })),
    protocol: 'udp',
    addresses: hosts,
    probed: false,
    numberFormat: { style: 'e164' },
    codecs: ['PCMA'],
  }
}

/** Every other one begins with another edge. */
export const startingAt = (hosts: string[], first: number) => [
  ...hosts.slice(first),
  ...hosts.slice(0, first),
]

/** Answers a call as a phone does; undefined if it was declined. */
export async function take(
  sound: Sound,
  call: IncomingCall,
  { manner, number, legs }: { manner: AnswerMode; number: string; legs: Set<Leg> },
): Promise<Leg | undefined> {
  if (manner === 'declines') {
    call.reject(603)
    return undefined
  }
  const party = await sound.openParty()
  const leg = join(legs, takePart(call, party, number, call.body))
  if (manner === 'rings') call.ring()
  else call.accept(party.sdp())
  return leg
}

/** Counts as established until it ends. */
export function join(legs: Set<Leg>, leg: Leg): Leg {
  legs.add(leg)
  void leg.ended.then(() => legs.delete(leg))
  return leg
}

export const userOf = (uri: Uri) => (isSipUri(uri) && uri.user) || ''

export const sipAddressOf = (user: string, host: string) => ({
  uri: { scheme: 'sip', user, host, params: new Map() } as const,
  params: new Map(),
})
