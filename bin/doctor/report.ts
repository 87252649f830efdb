import { styleText } from 'node:util'

import { amount, type Finding, type Status } from '../../server/wiring/doctor/finding.ts'
import { DOCTOR_LIMITS } from '../../server/wiring/doctor/limits.ts'
import type { CommandResult } from '../operator-command.ts'

/** What a check found. */
export interface Reported extends Finding {
  check: string
}

const COLOURS = { ok: 'green', warning: 'yellow', problem: 'red' } as const

export function statusOf(findings: Finding[]): Status {
  const found = new Set(findings.map(({ status }) => status))
  return found.has('problem') ? 'problem' : found.has('warning') ? 'warning' : 'ok'
}

export function report(findings: Reported[]): CommandResult {
  return {
    json: {
      status: statusOf(findings),
      findings: findings.map(({ check, status, message, action }) => ({
        check,
        status,
        message,
        ...(action !== undefined && { action }),
      })),
    },
    text: [...rowsOf(findings), '', summaryOf(findings)].join('\n'),
  }
}

/** Status, check and sentence in columns; below it, what to do. */
function rowsOf(findings: Reported[]): string[] {
  const statusWidth = Math.max(...findings.map(({ status }) => status.length))
  const checkWidth = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat(statusWidth + checkWidth + 4)
  return findings.flatMap(({ status, check, message, action }) => {
    const head = `${coloured(status, status.padEnd(statusWidth))}  ${check.padEnd(checkWidth)}  `
    const sentences = [message, ...(action === undefined ? [] : [`→ ${action}`])]
    const lines = sentences.flatMap((sentence) => wrap(sentence, columns() - indent.length))
    return lines.map((line, i) => `${i === 0 ? head : indent}${line}`)
  })
}

function summaryOf(findings: Reported[]): string {
  const count = (status: Status) => findings.filter((finding) => finding.status === status).length
  const [problems, warnings] = [count('problem'), count('warning')]
  const status = statusOf(findings)
  if (status === 'ok') return coloured('ok', 'Everything is in order.')
  return coloured(status, `${amount(problems, 'problem')} and ${amount(warnings, 'warning')}.`)
}

const columns = () => process.stdout.columns ?? DOCTOR_LIMITS.columns

/** In colour only on a terminal that has some, unless NO_COLOR is set. */
const coloured = (status: Status, text: string) =>
  process.stdout.isTTY && process.stdout.hasColors() ? styleText(COLOURS[status], text) : text

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
