import type { TraceAnswer } from '../server/modules/edges/index.ts'

type Message = TraceAnswer['messages'][number]

const US = 'Bellhop'
const GAP = 30

/** The messages of a call as a ladder: a column for each side, and an arrow for each message, with its time (UTC). */
export function ladder(messages: Message[]): string {
  const peers = [...new Set(messages.map(({ peer }) => peer))]
  const columns = [...peers.slice(0, 1), US, ...peers.slice(1)]
  const placeOf = (name: string) => GAP / 2 + columns.indexOf(name) * GAP
  const names = columns.reduce((text, name) => {
    const start = Math.max(text.length + 1, placeOf(name) - Math.floor(name.length / 2))
    return text.padEnd(start) + name
  }, '')
  const lines = messages.map((message) => {
    const [here, there] = [placeOf(US), placeOf(message.peer)]
    const [left, right] = [Math.min(here, there), Math.max(here, there)]
    const pointsRight = (message.direction === 'out') === there > here
    const row = columns.reduce((text, name) => text.padEnd(placeOf(name)) + '|', '')
    const arrow = arrowOf(labelOf(message), right - left - 1, pointsRight)
    return `${timeOf(message)} ${(row.slice(0, left + 1) + arrow + row.slice(right)).trimEnd()}`
  })
  return [`${' '.repeat(TIME_CHARACTERS)} ${names}`.trimEnd(), ...lines].join('\n')
}

const TIME_CHARACTERS = '00:00:00.000'.length

const timeOf = ({ at }: Message) => at.toISOString().slice('2000-01-01T'.length, -1)

/** The method, or the status and its reason; and whether sound is negotiated in it. */
function labelOf({ text }: Message): string {
  const [first = ''] = text.split(/\r?\n/, 1)
  const name = first.startsWith('SIP/2.0 ') ? first.slice('SIP/2.0 '.length) : first.split(' ')[0]!
  const printable = name.replace(/[^\x20-\x7e]/g, '?')
  return /^v=0/m.test(text) ? `${printable} (SDP)` : printable
}

function arrowOf(label: string, width: number, pointsRight: boolean): string {
  const fitting = ` ${label.slice(0, width - 6)} `
  const before = Math.max(1, Math.floor((width - 1 - fitting.length) / 2))
  const shaft = '-'.repeat(before) + fitting + '-'.repeat(Math.max(1, width - 1 - before - fitting.length))
  return pointsRight ? `${shaft}>` : `<${shaft}`
}

/** All messages whole, each after a line that says when and between whom it was sent. */
export function printMessages(messages: Message[]): string {
  return messages
    .map(({ at, direction, peer, text }) => {
      const between = direction === 'in' ? `${peer} -> ${US}` : `${US} -> ${peer}`
      return `--- ${at.toISOString()} ${between}\n${text.replaceAll('\r\n', '\n').trimEnd()}\n`
    })
    .join('\n')
}
