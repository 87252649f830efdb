import type { MediaPort } from '../media/port.ts'
import type { Body, RemoteOffer } from '../sip/index.ts'

export const sdpOf = (sdp: string): Body => ({ contentType: 'application/sdp', bytes: Buffer.from(sdp) })

/** Sound stays on this machine, whatever address the exchange shows to the outside. */
export const heardAt = (host: string, { bytes }: Body) =>
  bytes.toString().replace(/^(c=IN) .*?(?=\r?$)/gm, `$1 ${host.includes(':') ? 'IP6' : 'IP4'} ${host}`)

/** The exchange may hold and resume. */
export async function agreeTo(
  media: MediaPort,
  leg: string,
  host: string,
  offer: RemoteOffer,
): Promise<void> {
  const set = offer.body && (await media.setRemote(leg, { type: 'offer', sdp: heardAt(host, offer.body) }))
  if (set?.ok) offer.accept(sdpOf(set.sdp!))
  else offer.refuse(488)
}
