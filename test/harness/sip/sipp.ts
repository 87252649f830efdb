import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '../processes/ports.ts'

const SCENARIOS = join(import.meta.dirname, '../../sip/sipp')

/** SIPp itself times out, so that a test that hangs shows where. */
const CALL_LIMIT_S = 60

interface Run {
  /** Rejects with SIPp's own errors if a call deviates from its scenario. */
  done: Promise<void>
  port: number
}

/** Runs a scenario of test/sip/sipp: as caller against `to`, or as callee until `calls` are over. */
export async function sipp(
  scenario: string,
  options: { to?: number; host?: '127.0.0.1' | '::1'; calls?: number; rate?: number; args?: string[] } = {},
): Promise<Run> {
  const { to, host = '127.0.0.1', calls = 1, rate = 10, args = [] } = options
  const dir = await mkdtemp(join(tmpdir(), 'bellhop-sipp-'))
  const port = await freePort()
  const errors = join(dir, 'errors.log')
  const child = spawn(
    'sipp',
    [
      ...(to === undefined ? [] : [`${host === '::1' ? '[::1]' : host}:${to}`]),
      '-sf',
      await withoutComments(scenario, dir),
      '-i',
      host,
      '-p',
      String(port),
      '-ci',
      '127.0.0.1',
      '-cp',
      String(await freePort()),
      '-m',
      String(calls),
      '-r',
      String(rate),
      '-timeout',
      `${CALL_LIMIT_S}s`,
      '-timeout_error',
      '-nostdin',
      '-trace_err',
      '-error_file',
      errors,
      ...args,
    ],
    { cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const finish = async () => {
    const [code] = (await once(child, 'close')) as [number]
    const report = await readFile(errors, 'utf8').catch(() => '')
    await rm(dir, { recursive: true, force: true })
    if (code !== 0) throw new Error(`SIPp ended ${scenario} with ${code}:\n${report}\n${stderr}`)
  }
  return { done: finish(), port }
}

/** SIPp takes messages verbatim, so the indentation of the file must be removed. */
async function withoutComments(scenario: string, dir: string): Promise<string> {
  const text = await readFile(join(SCENARIOS, `${scenario}.xml`), 'utf8')
  const path = join(dir, 'scenario.xml')
  await writeFile(path, text.replace(/<!--.*?-->/gs, ''))
  return path
}
