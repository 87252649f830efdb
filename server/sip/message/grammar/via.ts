import { type Params, parseParams, printParams } from './params.ts'
import { parseHostPort, printHostPort } from './uri.ts'

export interface Via {
  version: string
  /** In upper case: UDP, TCP, TLS, WS, WSS or another token. */
  transport: string
  host: string
  port?: number
  params: Params
}

const PROTOCOL = /^SIP\s*\/\s*([\w.]+)\s*\/\s*([A-Za-z0-9\-.!%*_+`'~]+)\s+(\S.*)$/i
const SENT_BY = /^\S+(?:\s*:\s*\d+)?$/

export function parseVia(text: string): Via | undefined {
  const semicolon = text.indexOf(';')
  const found = PROTOCOL.exec(semicolon === -1 ? text : text.slice(0, semicolon).trimEnd())
  if (!found) return undefined
  const [, version, transport, sentBy] = found
  const place = SENT_BY.test(sentBy!) ? parseHostPort(sentBy!.replace(/\s+/g, '')) : undefined
  const params = semicolon === -1 ? new Map<string, string>() : parseParams(text.slice(semicolon + 1))
  return place && params && { version: version!, transport: transport!.toUpperCase(), ...place, params }
}

export function printVia({ version, transport, host, port, params }: Via): string {
  return `SIP/${version}/${transport} ${printHostPort(host, port)}${printParams(params)}`
}
