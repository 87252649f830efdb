import { emailText, trusted } from '../../../server/platform/text/email-text.ts'
import type { Email } from '../../../server/providers/email/port.ts'

/** What mail clients turn into links by themselves: schemes, www, bare domains, addresses, network shares. */
export const LINK =
  /[a-z][a-z0-9+.-]*:\S+|www[.。．｡]\S+|\S+@\S+|[\p{L}\d-]+[.。．｡․][\p{L}\d-]*\p{L}{2,}|\\\\\S+/giu

/** An e-mail as a mail client shows it. */
export interface ParsedEmail {
  /** Every header in order, names in lower case, values decoded. */
  headers: { name: string; value: string }[]
  /** The header of that name; undefined if there is none or more than one. */
  header(name: string): string | undefined
  text: string
}

/** Parses an RFC 5322 message with one plain-text part. */
export function parseEmail(source: string): ParsedEmail {
  const [head = '', ...rest] = source.replaceAll('\r\n', '\n').split('\n\n')
  const headers = unfold(head).map((line) => {
    const colon = line.indexOf(':')
    return { name: line.slice(0, colon).toLowerCase(), value: decodeWords(line.slice(colon + 1).trim()) }
  })
  const header = (name: string) => {
    const found = headers.filter((header) => header.name === name)
    return found.length === 1 ? found[0]!.value : undefined
  }
  return { headers, header, text: decodeBody(rest.join('\n\n'), header('content-transfer-encoding')) }
}

function unfold(head: string): string[] {
  return head.replace(/\n[ \t]+/g, ' ').split('\n')
}

/** RFC 2047: the space between two encoded words is not part of the text. */
function decodeWords(value: string): string {
  const words = /=\?utf-8\?([bq])\?([^?]*)\?=/gi
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/(?:=\?utf-8\?[bq]\?[^?]*\?=)+/gi, (run) =>
      Buffer.concat(
        [...run.matchAll(words)].map(([, encoding, text]) =>
          encoding!.toLowerCase() === 'b'
            ? Buffer.from(text!, 'base64')
            : quotedBytes(text!.replaceAll('_', ' ')),
        ),
      ).toString('utf8'),
    )
}

function decodeBody(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding === 'quoted-printable') return quotedBytes(body.replaceAll('=\n', '')).toString('utf8')
  return body
}

function quotedBytes(text: string): Buffer {
  return Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

/** An e-mail with just this text. */
export const newEmail = ({ to, subject, text }: Record<keyof Email, string>): Email => ({
  to,
  subject: emailText`${trusted(subject)}`,
  text: emailText`${trusted(text)}`,
})
