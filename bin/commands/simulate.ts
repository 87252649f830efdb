import type { Command } from 'commander'

import { loadConfig } from '../../server/config.ts'
import { OperatorError } from '../../server/platform/errors.ts'
import { isShortCode, WITHHELD_NUMBER } from '../../server/platform/text/phone.ts'
import { ADDRESS_CHARACTERS_MAX } from '../../server/providers/sms/port.ts'
import { print } from '../operator-command.ts'
import { type CallOptions, simulateCall } from './simulate-call.ts'
import { simulateSms, type SmsOptions } from './simulate-sms.ts'

export function addSimulateCommands(simulate: Command): void {
  simulate
    .command('call')
    .description('call a number, as through its carrier; the service must be running')
    .requiredOption('--from <caller>', `a number in E.164, a short code or ${WITHHELD_NUMBER}`, caller)
    .requiredOption('--to <e164>', 'a business number', e164('--to'))
    .option('--press <keys>', 'DTMF digits to send after the first prompt', keys, [])
    .option('--say <text>', 'what the caller says then, in English')
    .option(
      '--wait <time>',
      'how long the caller stays on the line after that, such as 5s or 2m',
      time,
      5_000,
    )
    .action(async (options: CallOptions, command: Command) => {
      print(command, await simulateCall(loadConfig(), options))
    })

  simulate
    .command('sms')
    .description('send a text to a number, as through its SMS provider; the service must be running')
    .requiredOption('--from <sender>', 'a number in E.164, a short code or a name', sender)
    .requiredOption('--to <e164>', 'a business number with texting', e164('--to'))
    .requiredOption('--text <text>', 'the text')
    .action(async (options: SmsOptions, command: Command) => {
      const id = await simulateSms(loadConfig(), options)
      const { from, to } = options
      print(command, { json: { id, from, to }, text: `${to} received the text from ${from}.` })
    })
}

const E164 = /^\+[1-9]\d{6,14}$/

function e164(option: string) {
  return (text: string) => {
    if (!E164.test(text)) throw new OperatorError(`${option} must be a number in E.164, such as +4570123456.`)
    return text
  }
}

function caller(text: string): string {
  if (text !== WITHHELD_NUMBER && !E164.test(text) && !isShortCode(text))
    throw new OperatorError(
      `--from must be a number in E.164, such as +4520304050, a short code or ${WITHHELD_NUMBER}.`,
    )
  return text
}

function sender(text: string): string {
  const name = text.trim()
  if (name === '' || name.length > ADDRESS_CHARACTERS_MAX)
    throw new OperatorError(
      `--from must be a number or a name of at most ${ADDRESS_CHARACTERS_MAX} characters.`,
    )
  return name
}

function keys(text: string): string[] {
  if (!/^[\d*#A-D]{1,32}$/.test(text))
    throw new OperatorError('--press must be keys of a phone, such as 1 or 42#.')
  return text.split('')
}

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000 }
const LONGEST_MS = 3_600_000

function time(text: string): number {
  const [, number, unit = 's'] = /^(\d{1,7})(ms|s|m)?$/.exec(text) ?? []
  const ms = Number(number) * UNITS[unit]!
  if (number === undefined || ms > LONGEST_MS)
    throw new OperatorError('--wait must be a time of at most an hour, such as 5s or 2m.')
  return ms
}
