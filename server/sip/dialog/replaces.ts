import { type Uri, isSipUri, unescape } from '../message/grammar/uri.ts'
import type { Headers } from '../message/headers.ts'
import { dialogKey } from './dialog.ts'

/** The call of ours that another is to replace. */
export interface Replaces {
  /** As `dialogKey` makes it. */
  dialog: string
  /** Only if that call has not been answered. */
  isEarlyOnly: boolean
}

/** RFC 3891 §6.1: `call-id;to-tag=…;from-tag=…`, where to-tag is the tag of the recipient. */
export function readReplaces(text: string): Replaces | undefined {
  const [callId, ...params] = text.split(';').map((part) => part.trim())
  const all = (name: string) =>
    params.filter((param) => param.startsWith(`${name}=`)).map((param) => param.slice(name.length + 1))
  const [ours, theirs] = [all('to-tag'), all('from-tag')]
  if (!callId || ours.length !== 1 || theirs.length !== 1) return undefined
  return {
    dialog: dialogKey(callId, ours[0]!, theirs[0]!),
    isEarlyOnly: params.includes('early-only'),
  }
}

/** RFC 5589 §7: the Replaces in the URI of a Refer-To, as a header field for the new call. */
export function replacesIn(uri: Uri): string | undefined {
  const fields = isSipUri(uri) ? uri.headers?.split('&') : undefined
  const field = fields?.find((each) => /^replaces=/i.test(each))
  return field && unescape(field.slice(field.indexOf('=') + 1))
}

/** A dialog of ours that an INVITE names. */
interface ReplacedDialog {
  isEnded: boolean
  isConfirmed: boolean
  /** We called. */
  isCaller: boolean
}

/** RFC 3891 §3: the dialog that an INVITE replaces, if it replaces one, or the status with which it is refused. */
export function checkReplaces(
  headers: Headers,
  find: (dialog: string) => ReplacedDialog | undefined,
): { ok: true; dialog: string | undefined } | { ok: false; status: number } {
  const fields = headers.all('replaces')
  if (fields.length === 0) return { ok: true, dialog: undefined }
  const replaces = fields.length === 1 && !headers.has('join') ? readReplaces(fields[0]!) : undefined
  if (!replaces) return { ok: false, status: 400 }
  const named = find(replaces.dialog)
  // Of early dialogs, only those that the recipient began can be replaced.
  if (!named || !(named.isConfirmed || named.isCaller)) return { ok: false, status: 481 }
  if (named.isEnded) return { ok: false, status: 603 }
  return named.isConfirmed && replaces.isEarlyOnly
    ? { ok: false, status: 486 }
    : { ok: true, dialog: replaces.dialog }
}
