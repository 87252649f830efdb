import { type Law, LAWS } from '../audio/g711.ts'
import { type Attribute, attributeValues, type MediaLine } from './description.ts'

/** The usable codecs of an audio line. */
export interface Codecs {
  /** In the sender's order of preference. */
  laws: { law: Law; payloadType: number }[]
  /** The payload type of telephone-event/8000 (RFC 4733). */
  events?: number
}

export const PAYLOAD_TYPE: Record<Law, number> = { pcmu: 0, pcma: 8 }

export const OFFERED_EVENTS = 101

const ENCODING: Record<Law, string> = { pcmu: 'PCMU/8000', pcma: 'PCMA/8000' }

export function readCodecs({ formats, attributes }: MediaLine): Codecs {
  const names = new Map<number, string>()
  // Static payload types need no rtpmap (RFC 3551).
  for (const law of LAWS) names.set(PAYLOAD_TYPE[law], ENCODING[law])
  for (const value of attributeValues(attributes, 'rtpmap')) {
    const [, number, name] = /^(\d{1,3}) +([^ ]+)$/.exec(value) ?? []
    if (number && name) names.set(Number(number), name.toUpperCase().replace(/\/1$/, ''))
  }
  const codecs: Codecs = { laws: [] }
  for (const format of formats) {
    const payloadType = /^\d{1,3}$/.test(format) ? Number(format) : -1
    if (payloadType < 0 || payloadType > 127) continue
    const name = names.get(payloadType)
    const law = LAWS.find((law) => ENCODING[law] === name)
    if (law) codecs.laws.push({ law, payloadType })
    else if (name === 'TELEPHONE-EVENT/8000') codecs.events ??= payloadType
  }
  return codecs
}

export const formatsOf = ({ laws, events }: Codecs): string[] =>
  [...laws.map(({ payloadType }) => payloadType), ...(events === undefined ? [] : [events])].map(String)

export function codecAttributes({ laws, events }: Codecs): Attribute[] {
  return [
    ...laws.map(({ law, payloadType }) => ({ name: 'rtpmap', value: `${payloadType} ${ENCODING[law]}` })),
    ...(events === undefined
      ? []
      : [
          { name: 'rtpmap', value: `${events} telephone-event/8000` },
          { name: 'fmtp', value: `${events} 0-15` },
        ]),
    { name: 'ptime', value: '20' },
  ]
}
