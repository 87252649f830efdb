import { type CallerId, identify, type OutgoingCall, sdpBody } from '../../sip/index.ts'
import { CallInTurn } from '../call/call-in-turn.ts'
import type { EdgePort } from '../port.ts'
import type { CarrierTrunk } from '../trunks/trunks.ts'
import type { PlacedLeg } from './placed-leg.ts'

/** A call that the first of these carriers takes that can. Undefined if there is no media for it. */
export async function prepareTrunkCall(
  { media, ua, log, metrics }: EdgePort,
  [first, ...others]: CarrierTrunk[],
  { caller, dialled }: { caller: CallerId; dialled: string },
): Promise<PlacedLeg | undefined> {
  if (!first) return undefined
  const created = await media.createLeg({ transport: first.transport })
  if (!created.ok) return undefined
  type OnInvite = Parameters<PlacedLeg['invite']>[0]
  const inviteOver = (onInvite: OnInvite, trunk: CarrierTrunk): OutgoingCall => {
    const call = ua.invite(
      { to: 'trunk', trunk: trunk.name, number: dialled },
      {
        ...identify(trunk, caller),
        body: async (family) => sdpBody(await media.offerAnew(created.leg, trunk.transport, family)),
      },
    )
    onInvite(call.id)
    return call
  }
  const inTurn = (onInvite: OnInvite) =>
    new CallInTurn(
      log,
      [first, ...others].map((trunk) => async () => inviteOver(onInvite, trunk)),
      (ending, isLast) => {
        if (isLast) return true
        log.warn({ dialled, ending }, 'a carrier did not take a call, and the next one is tried')
        metrics.carrierRefusals.inc({ status: ending.why === 'refused' ? ending.status : 'none' })
        return true
      },
    )
  return {
    sound: created.leg,
    invite: (onInvite) => (others.length === 0 ? inviteOver(onInvite, first) : inTurn(onInvite)),
    settled: async () => {},
    discard: () => media.close(created.leg),
  }
}
