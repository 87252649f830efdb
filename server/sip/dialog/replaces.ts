import { type Uri, isSipUri, unescape } from '../message/grammar/uri.ts'
import { dialogKey } from './dialog.ts'

/** The call of ours that another is to replace. */
export interface Replaces {
  callId: string
  /** The key of the dialog, as `dialogKey` makes it. */
  key: string
}

/** RFC 3891 §6.1: `call-id;to-tag=…;from-tag=…`, where to-tag is the tag of the recipient. */
export function readReplaces(text: string): Replaces | undefined {
  const [callId, ...params] = text.split(';').map((part) => part.trim())
  const get = (name: string) => params.find((param) => param.startsWith(`${name}=`))?.slice(name.length + 1)
  const [ours, theirs] = [get('to-tag'), get('from-tag')]
  if (!callId || ours === undefined || theirs === undefined) return undefined
  return { callId, key: dialogKey(callId, ours, theirs) }
}

/** RFC 5589 §7: the Replaces in the URI of a Refer-To, as a header field for the new call. */
export function replacesIn(uri: Uri): string | undefined {
  const fields = isSipUri(uri) ? uri.headers?.split('&') : undefined
  const field = fields?.find((each) => /^replaces=/i.test(each))
  return field && unescape(field.slice(field.indexOf('=') + 1))
}
