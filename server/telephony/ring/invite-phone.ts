import type { LegCreated, LegId, LegMade, MediaPort } from '../../media/port.ts'
import { type CallEndReason, type InviteOptions, type OutgoingCall, sdpBody } from '../../sip/index.ts'
import { CallInTurn } from '../call/call-in-turn.ts'
import { linkByHeader } from '../monitoring/link-by-header.ts'
import type { EdgePort, PhoneMedia, PhoneRoute } from '../port.ts'

export const openPhoneLeg = (
  media: MediaPort,
  { transport, family, isEncryptionRequired, opus }: PhoneMedia,
  /** Who is to talk with the phone. */
  near: LegId | undefined,
): Promise<LegCreated> =>
  media.createLeg({
    transport,
    ...(family && { family }),
    ...(opus && { opus }),
    ...(near !== undefined && { near }),
    ...(isEncryptionRequired && { encryption: 'required' }),
  })

/** Calls a phone. One that refuses encrypted media is called again without, unless encryption is required. */
export function invitePhone(
  {
    ua,
    media,
    log,
    trace,
    encryptionRefused,
  }: Pick<EdgePort, 'ua' | 'media' | 'log' | 'trace' | 'encryptionRefused'>,
  { target, transport, credentials, isEncryptionRequired, deviceId }: PhoneRoute,
  { leg, sdp: firstOffer }: LegMade,
  options: Omit<InviteOptions, 'body'>,
): OutgoingCall {
  const invite = (sdp: string) => {
    const call = ua.invite(target, { ...options, ...(credentials && { credentials }), body: sdpBody(sdp) })
    linkByHeader(trace, options.headers?.['x-bellhop-call'], call.id)
    return call
  }
  if (transport !== 'sdes') return invite(firstOffer)
  const encrypted = async () => invite(firstOffer)
  const plain = async () => invite(await media.offerAnew(leg, 'rtp'))
  let isEncrypted = true
  return new CallInTurn(log, isEncryptionRequired ? [encrypted] : [encrypted, plain], (ending) => {
    if (!isEncrypted || !isMediaRefused(ending)) return false
    isEncrypted = false
    if (deviceId !== undefined) encryptionRefused(deviceId, ending.status)
    return true
  })
}

/** Not Acceptable Here, and Not Acceptable (RFC 3261 §21.4.26, §21.6.4). */
const MEDIA_REFUSED = new Set([488, 606])

export const isMediaRefused = (ending: CallEndReason): ending is Extract<CallEndReason, { why: 'refused' }> =>
  ending.why === 'refused' && MEDIA_REFUSED.has(ending.status)
