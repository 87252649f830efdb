import { escapeXml } from '../../platform/text/escape-xml.ts'
import type { Body } from '../../sip/index.ts'

/** A dialog of an employee, as RFC 4235 §4.1.1 describes it, and no more of it than this. */
export interface EmployeeDialog {
  id: string
  direction: 'initiator' | 'recipient'
  state: 'early' | 'confirmed' | 'terminated'
}

/** RFC 4235 §4: all dialogs of an employee. */
export function dialogInfo(entity: string, version: number, dialogs: EmployeeDialog[]): Body {
  const lines = [
    '<?xml version="1.0"?>',
    `<dialog-info xmlns="urn:ietf:params:xml:ns:dialog-info" version="${version}" state="full" entity="${escapeXml(entity)}">`,
    ...(dialogs.length === 0 ? [IDLE] : dialogs.map(element)),
    '</dialog-info>',
    '',
  ]
  return { contentType: 'application/dialog-info+xml', bytes: Buffer.from(lines.join('\r\n')) }
}

const element = ({ id, direction, state }: EmployeeDialog) =>
  `<dialog id="${escapeXml(id)}" direction="${direction}"><state>${state}</state></dialog>`

/** Without dialogs the document could be empty, but there are phones that leave their lamp as it was then. */
const IDLE = '<dialog id="idle"><state>terminated</state></dialog>'

/** Those that have ended since are listed once more, as terminated. */
export function withEnded(before: EmployeeDialog[], now: EmployeeDialog[]): EmployeeDialog[] {
  const ended = before.filter(({ id, state }) => state !== 'terminated' && !now.some((one) => one.id === id))
  return [...ended.map(({ id, direction }) => ({ id, direction, state: 'terminated' as const })), ...now]
}
