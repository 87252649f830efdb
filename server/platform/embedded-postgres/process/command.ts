import { spawn } from 'node:child_process'

import { type OsAccount, spawnAs } from '../os-account.ts'

/** Our environment must not affect PostgreSQL (PGDATA, LANG), nor our secrets reach it. */
export const COMMAND_ENV = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

export type CommandOutcome = { ok: true; output: string } | { ok: false; why: string; output: string }

/** Runs a short program as the account and collects what it prints. */
export function runCommand(command: string, args: string[], account: OsAccount): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...spawnAs(account),
      cwd: '/',
      env: COMMAND_ENV,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('error', (error) => resolve({ ok: false, why: error.message, output }))
    child.once('close', (code, signal) => {
      if (code === 0) resolve({ ok: true, output })
      else resolve({ ok: false, why: lastLine(output) ?? `ended with ${code ?? signal}`, output })
    })
  })
}

export function lastLine(text: string): string | undefined {
  return text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '')
}
