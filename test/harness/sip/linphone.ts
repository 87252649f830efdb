import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '../processes/ports.ts'

/** Linphone's console, which knows nothing but the address of its settings. */
export async function startLinphone({ settingsUrl }: { settingsUrl: string }) {
  const dir = await mkdtemp(join(tmpdir(), 'bellhop-linphone-'))
  const rc = join(dir, 'linphonerc')
  // Without a place for its database it does nothing, and says nothing.
  await mkdir(join(dir, '.local/share/linphone'), { recursive: true })
  const port = await freePort()
  await writeFile(
    rc,
    [
      '[sip]',
      `sip_port=${port}`,
      `sip_tcp_port=${port}`,
      'sip_tls_port=-1',
      '[misc]',
      `config-uri=${settingsUrl}`,
      // A machine with only a loopback interface is offline to it.
      'auto_net_state_mon=0',
      '',
    ].join('\n'),
  )
  const child = spawn('linphonec', ['-c', rc, '-d', '5', '-l', join(dir, 'log')], {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: dir },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  return {
    output: () => output,
    /** A command of its console, such as `call` or `answer`. */
    command: (line: string): void => void child.stdin.write(`${line}\n`),
    async stop(): Promise<void> {
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await rm(dir, { recursive: true, force: true })
    },
  }
}
