import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { wavHeader } from '../../../server/media/audio/wav-writer.ts'
import { freePort } from '../processes/ports.ts'
import { sine } from '../sound/audio-analysis.ts'

const VOICE_SECONDS = 120

/** Linphone's console, which knows nothing but the address of its settings. It speaks in a tone. */
export async function startLinphone({ settingsUrl, hz = 0 }: { settingsUrl: string; hz?: number }) {
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
      // Any that are free: otherwise it takes 7078 and 9078, which another one may have.
      '[rtp]',
      'audio_rtp_port=-1',
      'video_rtp_port=-1',
      '[misc]',
      `config-uri=${settingsUrl}`,
      // A machine with only a loopback interface is offline to it.
      'auto_net_state_mon=0',
      '',
    ].join('\n'),
  )
  const voice = Buffer.from(sine(hz, VOICE_SECONDS).buffer)
  await writeFile(join(dir, 'voice.wav'), Buffer.concat([wavHeader(1, voice.length), voice]))
  const child = spawn('linphonec', ['-c', rc, '-d', '5', '-l', join(dir, 'log')], {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: dir },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const command = (line: string) => {
    child.stdin.write(`${line}\n`)
  }
  command('soundcard use files')
  command(`record ${join(dir, 'heard.wav')}`)
  return {
    /** A command of its console, such as `call` or `answer`. */
    command,
    /** Speaks in its tone, in a call. */
    speak: () => command(`play ${join(dir, 'voice.wav')}`),
    /** What its console has printed. */
    output: () => output,
    /** What it has heard in its last call, which has ended. */
    heard: () => readFile(join(dir, 'heard.wav')),
    async stop(): Promise<void> {
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await rm(dir, { recursive: true, force: true })
    },
  }
}
