import { SIP_LIMITS } from '../limits.ts'
import { find, numberOf } from '../message/fields.ts'
import type { Address } from '../message/grammar/address.ts'
import { isSipUri, printUri } from '../message/grammar/uri.ts'
import type { Headers } from '../message/headers.ts'

/** One Contact of a REGISTER. */
export interface RequestedContact {
  key: string
  uri: string
  params: [string, string][]
  /** 0 removes the binding. */
  seconds: number
}

export type BindingUpdate =
  | { do: 'update'; contacts: RequestedContact[] }
  | { do: 'removeAll' }
  | { do: 'refuse'; status: number; headers?: Record<string, string> }

/** RFC 3261 §10.3, steps 6 and 7: what a REGISTER requests. */
export function readBindingUpdate(headers: Headers): BindingUpdate {
  const expires = numberOf(headers, 'expires')
  if (headers.get('contact') === '*') {
    const isClean = headers.all('contact').length === 1 && expires === 0
    return isClean ? { do: 'removeAll' } : { do: 'refuse', status: 400 }
  }
  const addresses = find.contacts(headers)
  if (!addresses) return { do: 'refuse', status: 400 }
  const contacts: RequestedContact[] = []
  for (const address of addresses) {
    const asked = address.params.get('expires')
    const seconds =
      asked !== undefined && /^\d+$/.test(asked)
        ? Number(asked)
        : (expires ?? SIP_LIMITS.registrationSecondsMax)
    if (seconds > 0 && seconds < SIP_LIMITS.registrationSecondsMin) {
      return {
        do: 'refuse',
        status: 423,
        headers: { 'min-expires': String(SIP_LIMITS.registrationSecondsMin) },
      }
    }
    if (!isSipUri(address.uri)) return { do: 'refuse', status: 400 }
    contacts.push(wantedContact(address, Math.min(seconds, SIP_LIMITS.registrationSecondsMax)))
  }
  return { do: 'update', contacts }
}

/** RFC 5626 §6: a phone with an instance id keeps its binding when its address changes. */
function wantedContact({ uri, params }: Address, seconds: number): RequestedContact {
  const instance = params.get('+sip.instance')
  const regId = params.get('reg-id')
  const text = printUri(uri)
  const key = instance !== undefined && regId !== undefined ? `${instance}#${regId}` : text
  return { key, uri: text, params: [...params].filter(([name]) => name !== 'expires'), seconds }
}
