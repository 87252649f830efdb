import { parseParams } from '../message/grammar/params.ts'
import { isToken } from '../message/grammar/scan.ts'
import type { Headers } from '../message/headers.ts'

/** RFC 6665 §8.2.1: the event package, and the id by which a phone tells its subscriptions apart. */
export interface EventHeader {
  name: string
  id: string | undefined
}

/** Undefined if there is none, or it is malformed. */
export function readEvent(headers: Headers): EventHeader | undefined {
  const [, name, params] = /^([^\s;]+)\s*(?:;(.*))?$/s.exec(headers.get('event') ?? '') ?? []
  if (name === undefined || !isToken(name)) return undefined
  const parsed = params === undefined ? new Map<string, string>() : parseParams(params)
  return parsed && { name: name.toLowerCase(), id: parsed.get('id') }
}

export const printEvent = ({ name, id }: EventHeader) => (id === undefined ? name : `${name};id=${id}`)

/** Whether the Accept of a SUBSCRIBE, if there is one, includes the content type of the package. */
export function acceptsType(headers: Headers, contentType: string): boolean {
  if (!headers.has('accept')) return true
  const [kind] = contentType.split('/')
  const fitting = new Set([contentType, `${kind}/*`, '*/*'])
  return (headers.list('accept') ?? []).some((range) =>
    fitting.has(range.split(';')[0]!.trim().toLowerCase()),
  )
}
