import { MEDIA_LIMITS } from '../limits.ts'
import { type Attribute, type MediaLine, type SessionDescription } from './description.ts'
import { refuseSdp, type SdpResult } from './refusal.ts'

/** Parses a session description. Never throws. */
export function parseSdp(text: string): SdpResult<{ description: SessionDescription }> {
  if (text.length > MEDIA_LIMITS.sdpCharactersMax) return refuseSdp('too_large')
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line !== '')
  if (lines.length > MEDIA_LIMITS.sdpLinesMax) return refuseSdp('too_large')
  if (lines[0] !== 'v=0') return refuseSdp('malformed')
  const description: SessionDescription = {
    origin: { sessionId: '', version: '', address: '' },
    attributes: [],
    media: [],
  }
  for (const line of lines) {
    if (!/^[a-z]=/.test(line)) return refuseSdp('malformed')
    if (!readLine(description, line[0]!, line.slice(2).trim())) return refuseSdp('malformed')
    if (description.media.length > MEDIA_LIMITS.sdpMediaMax) return refuseSdp('too_large')
  }
  if (description.origin.sessionId === '') return refuseSdp('malformed')
  return { ok: true, description }
}

/** Whether the line is valid. Irrelevant types of lines are skipped. */
function readLine(description: SessionDescription, kind: string, value: string): boolean {
  const part = description.media.at(-1) ?? description
  switch (kind) {
    case 'o': {
      const [, sessionId, version, , , address] = value.split(/ +/)
      if (!sessionId || !version || !address) return false
      description.origin = { sessionId, version, address }
      return true
    }
    case 'c': {
      const [network, , address] = value.split(/ +/)
      if (network !== 'IN' || !address) return false
      part.connection = address.split('/')[0]!
      return true
    }
    case 'a':
      part.attributes.push(readAttribute(value))
      return true
    case 'm': {
      const line = readMediaLine(value)
      if (line) description.media.push(line)
      return line !== undefined
    }
    default:
      return true
  }
}

function readAttribute(text: string): Attribute {
  const colon = text.indexOf(':')
  if (colon === -1) return { name: text }
  return { name: text.slice(0, colon), value: text.slice(colon + 1).trim() }
}

function readMediaLine(value: string): MediaLine | undefined {
  const [kind, ports, protocol, ...formats] = value.split(/ +/)
  if (!kind || !ports || !protocol || !/^\d{1,5}(\/\d+)?$/.test(ports)) return undefined
  const port = Number.parseInt(ports, 10)
  if (port > 65_535) return undefined
  return { kind, port, protocol, formats, attributes: [] }
}
