import { type CallerId, identify, sdpBody } from '../../sip/index.ts'
import type { EdgePort } from '../port.ts'
import type { CarrierTrunk } from '../trunks/trunks.ts'
import type { PlacedLeg } from './placed-leg.ts'

/** A call that a carrier takes. Undefined if there is no media for it. */
export async function prepareTrunkCall(
  { media, ua }: EdgePort,
  trunk: CarrierTrunk,
  { caller, dialled }: { caller: CallerId; dialled: string },
): Promise<PlacedLeg | undefined> {
  const created = await media.createLeg({ transport: trunk.transport })
  if (!created.ok) return undefined
  return {
    sound: created.leg,
    invite: () =>
      ua.invite(
        { to: 'trunk', trunk: trunk.name, number: dialled },
        { ...identify(trunk, caller), body: sdpBody(created.sdp) },
      ),
    settled: async () => {},
    discard: () => media.close(created.leg),
  }
}
