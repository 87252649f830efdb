import { type Law, LAWS } from '../audio/g711.ts'
import type { OpusSettings } from '../audio/opus.ts'
import { type Attribute, attributeValues, type MediaLine } from './description.ts'

/** Telephone audio in G.711, or Opus (RFC 7587). */
export type Codec = Law | 'opus'

/** What an RTP timestamp counts, a second. */
export type ClockRate = 8_000 | 48_000

/** The audio bandwidth that we ask for in Opus: all of it, or that of the telephone. */
export type OpusBand = 'full' | 'narrow'

/** A codec with the payload type that stands for it. */
export interface CodecFormat {
  codec: Codec
  payloadType: number
  /** How the side that said so wants to receive Opus. */
  opus?: OpusSettings
}

/** The usable codecs of an audio line. */
export interface Codecs {
  /** In the sender's order of preference. */
  formats: CodecFormat[]
  /** The payload types of telephone-event (RFC 4733), by clock rate. */
  events: Partial<Record<ClockRate, number>>
}

export const CLOCK_RATE: Record<Codec, ClockRate> = { pcmu: 8_000, pcma: 8_000, opus: 48_000 }
/** Those of an offer. Opus and its events have the numbers that browsers use. */
export const PAYLOAD_TYPE: Record<Codec, number> = { pcmu: 0, pcma: 8, opus: 111 }
export const EVENTS_PAYLOAD_TYPE: Record<ClockRate, number> = { 8_000: 101, 48_000: 110 }

const CODECS: readonly Codec[] = [...LAWS, 'opus']
const CLOCK_RATES: readonly ClockRate[] = [48_000, 8_000]
/** RFC 7587 §7: Opus always has two channels here, however many are used. */
const ENCODING: Record<Codec, string> = { pcmu: 'PCMU/8000', pcma: 'PCMA/8000', opus: 'opus/48000/2' }
/** Mono is the default. */
const OPUS_WANTED: Record<OpusBand, string> = {
  // Enough for speech at the full bandwidth, for whoever hears it unchanged.
  full: 'useinbandfec=1;maxaveragebitrate=32000',
  // More would be thrown away for G.711, and takes twice as long to decode.
  narrow: 'useinbandfec=1;maxaveragebitrate=24000;maxplaybackrate=8000',
}
/** RFC 7587 §6.1 */
const OPUS_BITRATE = { min: 6_000, max: 510_000 }

export function readCodecs({ formats, attributes }: MediaLine): Codecs {
  const names = new Map<number, string>()
  // Static payload types need no rtpmap (RFC 3551).
  for (const law of LAWS) names.set(PAYLOAD_TYPE[law], ENCODING[law])
  for (const { payloadType, value } of byPayloadType(attributes, 'rtpmap'))
    names.set(payloadType, value.toUpperCase().replace(/\/1$/, ''))
  const parameters = new Map(
    byPayloadType(attributes, 'fmtp').map(({ payloadType, value }) => [payloadType, value]),
  )
  const codecs: Codecs = { formats: [], events: {} }
  for (const format of formats) {
    const payloadType = /^\d{1,3}$/.test(format) ? Number(format) : -1
    if (payloadType < 0 || payloadType > 127) continue
    const name = names.get(payloadType)
    const codec = CODECS.find((each) => ENCODING[each].toUpperCase() === name)
    const rate = CLOCK_RATES.find((each) => `TELEPHONE-EVENT/${each}` === name)
    if (codec) {
      const opus = codec === 'opus' && readOpusSettings(parameters.get(payloadType) ?? '')
      codecs.formats.push({ codec, payloadType, ...(opus && { opus }) })
    } else if (rate) codecs.events[rate] ??= payloadType
  }
  return codecs
}

const byPayloadType = (attributes: Attribute[], name: 'rtpmap' | 'fmtp') =>
  attributeValues(attributes, name).flatMap((text) => {
    const [, payloadType, value] = /^(\d{1,3}) +(\S.*)$/.exec(text.trimEnd()) ?? []
    return payloadType && value ? [{ payloadType: Number(payloadType), value }] : []
  })

/** What is not understood is ignored (RFC 7587 §7). */
function readOpusSettings(text: string): OpusSettings {
  const values = new Map(
    text.split(';').map((each) => each.trim().toLowerCase().split('=', 2) as [string, string | undefined]),
  )
  const bitrate = Number(values.get('maxaveragebitrate'))
  return {
    ...(bitrate >= OPUS_BITRATE.min && bitrate <= OPUS_BITRATE.max && { bitrateMax: Math.floor(bitrate) }),
    ...(values.get('cbr') === '1' && { isBitrateConstant: true }),
    ...(values.get('useinbandfec') === '1' && { usesRedundancy: true }),
  }
}

/** The telephone events beside a codec: of its own clock rate (RFC 4733 §2.1) or, of a phone that has no such, of 8,000. */
export function eventsBeside({ codec }: CodecFormat, events: Codecs['events']): Codecs['events'] {
  const rate = CLOCK_RATE[codec]
  if (events[rate] !== undefined) return { [rate]: events[rate] }
  return events[8_000] === undefined ? {} : { 8_000: events[8_000] }
}

export const formatsOf = ({ formats, events }: Codecs): string[] =>
  [
    ...formats.map(({ payloadType }) => payloadType),
    ...eventsOf(events).map(([payloadType]) => payloadType),
  ].map(String)

export function codecAttributes({ formats, events }: Codecs, band: OpusBand): Attribute[] {
  return [
    ...formats.flatMap(({ codec, payloadType }) => [
      { name: 'rtpmap', value: `${payloadType} ${ENCODING[codec]}` },
      ...(codec === 'opus' ? [{ name: 'fmtp', value: `${payloadType} ${OPUS_WANTED[band]}` }] : []),
    ]),
    ...eventsOf(events).flatMap(([payloadType, rate]) => [
      { name: 'rtpmap', value: `${payloadType} telephone-event/${rate}` },
      { name: 'fmtp', value: `${payloadType} 0-15` },
    ]),
    { name: 'ptime', value: '20' },
  ]
}

export const eventsOf = (events: Codecs['events']): [payloadType: number, rate: ClockRate][] =>
  CLOCK_RATES.flatMap((rate) => (events[rate] === undefined ? [] : [[events[rate], rate]]))
