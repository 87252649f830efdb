import { isIPv6 } from 'node:net'

import type { Attribute, MediaLine, SessionDescription } from './description.ts'

export function printSdp({ origin, connection, attributes, media }: SessionDescription): string {
  const lines = [
    'v=0',
    `o=- ${origin.sessionId} ${origin.version} ${network(origin.address)}`,
    's=-',
    ...printConnection(connection),
    't=0 0',
    ...attributes.map(printAttribute),
    ...media.flatMap(printMedia),
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}

function printMedia({ kind, port, protocol, formats, connection, attributes }: MediaLine): string[] {
  return [
    `m=${[kind, port, protocol, ...formats].join(' ')}`,
    ...printConnection(connection),
    ...attributes.map(printAttribute),
  ]
}

const printConnection = (address: string | undefined) => (address ? [`c=${network(address)}`] : [])

const printAttribute = ({ name, value }: Attribute) =>
  value === undefined ? `a=${name}` : `a=${name}:${value}`

const network = (address: string) => `IN ${isIPv6(address) ? 'IP6' : 'IP4'} ${address}`
