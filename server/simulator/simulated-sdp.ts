import type { MediaPort } from '../media/port.ts'
import { type Body, bodyText, type RemoteOffer, sdpBody } from '../sip/index.ts'

/** Sound stays on this machine, whatever address the edge shows to the outside. */
export const withConnectionAddress = (host: string, body: Body) =>
  bodyText(body).replace(/^(c=IN) .*?(?=\r?$)/gm, `$1 ${host.includes(':') ? 'IP6' : 'IP4'} ${host}`)

/** Answers SDP offers: Bellhop may hold and resume. */
export async function answerReinvite(
  media: MediaPort,
  leg: string,
  host: string,
  offer: RemoteOffer,
): Promise<void> {
  const set =
    offer.body &&
    (await media.setRemote(leg, { type: 'offer', sdp: withConnectionAddress(host, offer.body) }))
  if (set?.ok) offer.accept(sdpBody(set.sdp!))
  else offer.refuse(488)
}
