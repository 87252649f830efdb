import { z } from 'zod'

/** What each id prefix stands for. */
const NOUNS = {
  com: 'company',
  emp: 'employee',
  con: 'contact',
  key: 'API key',
  num: 'business number',
  dev: 'device',
  cli: 'OAuth client',
  sni: 'text snippet',
  web: 'webhook subscription',
  int: 'integration',
  del: 'webhook delivery',
  cal: 'call',
  ica: 'internal call',
  msg: 'text',
  voi: 'voicemail',
  pre: 'voice preview',
  tra: 'transfer',
  not: 'internal note',
  out: 'outside transfer',
  fav: 'favourite',
  sub: 'push subscription',
}
export type IdPrefix = keyof typeof NOUNS

/** `con_01h…`, a TypeID: opaque to clients; a native uuid inside. */
export function encodeId(prefix: IdPrefix, uuid: string): string {
  return `${prefix}_${rewrite(uuid.replaceAll('-', ''), BASE_16, BASE_32, SPARE_BITS)}`
}

/** The uuid, or undefined if it is not an id with this prefix. */
export function decodeId(prefix: IdPrefix, id: string): string | undefined {
  return Id(prefix).safeDecode(id).data
}

function toUuid(digits: string): string {
  const hex = rewrite(digits, BASE_32, BASE_16, -SPARE_BITS)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const BASE_16 = base(4, '0123456789abcdef')
/** Crockford's alphabet: no letter that looks like a digit. */
const BASE_32 = base(5, '0123456789abcdefghjkmnpqrstvwxyz')
/** 26 digits have 130 bits, a uuid has 128: the first digit is at most 7. */
const SPARE_BITS = 2

function base(bits: number, digits: string) {
  const values = new Uint8Array(128)
  for (let value = 0; value < digits.length; value++) values[digits.charCodeAt(value)] = value
  return { bits, digits, values }
}

/** Converts between bases; `ahead` zero bits are prepended or, if negative, dropped. */
function rewrite(text: string, from: typeof BASE_16, to: typeof BASE_16, ahead: number): string {
  let written = ''
  let bits = 0
  let unwritten = ahead
  for (let i = 0; i < text.length; i++) {
    // At most eight bits are pending.
    bits = ((bits << from.bits) | from.values[text.charCodeAt(i)]!) & 0xff
    for (unwritten += from.bits; unwritten >= to.bits;) {
      unwritten -= to.bits
      written += to.digits[(bits >> unwritten) & (to.digits.length - 1)]!
    }
  }
  return written
}

const wireForms = new Map<IdPrefix, z.ZodCodec<z.ZodString, z.ZodString>>()

/** An id on the wire, a uuid inside. */
export function Id(prefix: IdPrefix) {
  const known = wireForms.get(prefix)
  if (known) return known
  const codec = z
    .codec(z.string().regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)), z.string(), {
      decode: (id) => toUuid(id.slice(prefix.length + 1)),
      encode: (uuid) => encodeId(prefix, uuid),
    })
    .meta({ description: `The id of ${/^[aeio]/i.test(NOUNS[prefix]) ? 'an' : 'a'} ${NOUNS[prefix]}.` })
  wireForms.set(prefix, codec)
  return codec
}
