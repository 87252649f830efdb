import { sdpBody } from '../../sip/index.ts'
import type { EdgePort, TrunkChoice } from '../port.ts'
import type { PlacedLeg } from './placed-leg.ts'

/** A call that a carrier takes. Undefined if there is no media for it. */
export async function prepareTrunkCall(
  { media, ua }: EdgePort,
  { name, transport }: TrunkChoice,
  { shown, dialled }: { shown: string; dialled: string },
): Promise<PlacedLeg | undefined> {
  const created = await media.createLeg({ transport })
  if (!created.ok) return undefined
  const from = {
    uri: { scheme: 'sip' as const, user: shown, host: 'bellhop', params: new Map() },
    params: new Map(),
  }
  return {
    sound: created.leg,
    invite: () =>
      ua.invite({ to: 'trunk', trunk: name, number: dialled }, { from, body: sdpBody(created.sdp) }),
    settled: async () => {},
    discard: () => media.close(created.leg),
  }
}
