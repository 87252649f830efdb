import type { LegId } from '../../media/port.ts'
import { type CallerId, identify, type OutgoingCall, sdpBody } from '../../sip/index.ts'
import { CallInTurn } from '../call/call-in-turn.ts'
import type { EdgePort } from '../port.ts'
import { isMediaRefused } from '../ring/invite-phone.ts'
import type { CarrierTrunk } from '../trunks/trunks.ts'
import type { PlacedLeg } from './placed-leg.ts'

/** A call that the first of these carriers takes that can. Undefined if there is no media for it. */
export async function prepareTrunkCall(
  { media, ua, log, metrics }: EdgePort,
  [first, ...others]: CarrierTrunk[],
  { caller, dialled, near }: { caller: CallerId; dialled: string; near: LegId },
): Promise<PlacedLeg | undefined> {
  if (!first) return undefined
  const isAlwaysEncrypted = [first, ...others].every(({ isEncryptionRequired }) => isEncryptionRequired)
  const created = await media.createLeg({
    transport: first.transport,
    near,
    ...(isAlwaysEncrypted && { encryption: 'required' }),
  })
  if (!created.ok) return undefined
  type OnInvite = Parameters<PlacedLeg['invite']>[0]
  const inviteWith = (onInvite: OnInvite, trunk: CarrierTrunk, transport = trunk.transport): OutgoingCall => {
    const call = ua.invite(
      { to: 'trunk', trunk: trunk.name, number: dialled },
      {
        ...identify(trunk, caller),
        body: async (family) => sdpBody(await media.offerAnew(created.leg, transport, family)),
      },
    )
    onInvite(call.id)
    return call
  }
  /** A carrier that refuses encrypted media is called again without, unless encryption is required. */
  const inviteOver = (onInvite: OnInvite, trunk: CarrierTrunk): OutgoingCall => {
    if (trunk.transport !== 'sdes' || trunk.isEncryptionRequired) return inviteWith(onInvite, trunk)
    const encrypted = async () => inviteWith(onInvite, trunk)
    const plain = async () => inviteWith(onInvite, trunk, 'rtp')
    return new CallInTurn(log, [encrypted, plain], (ending, isLast) => {
      if (isLast || !isMediaRefused(ending)) return false
      log.warn({ trunk: trunk.name, status: ending.status }, 'a carrier refused encrypted media')
      return true
    })
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
