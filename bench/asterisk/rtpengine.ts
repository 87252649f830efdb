/** rtpengine on the loopback device, without its kernel module. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { freePort } from '../calls/phone-system.ts'

export interface Rtpengine {
  pid: number
  /** With which Bellhop uses it. */
  environment: Record<string, string>
  close(): Promise<void>
}

export async function openRtpengine(): Promise<Rtpengine> {
  const control = await freePort()
  const args = [
    '--config-file=none',
    '--table=-1',
    '--interface=127.0.0.1',
    `--listen-ng=127.0.0.1:${control}`,
    '--port-min=61000',
    '--port-max=65535',
    '--foreground',
    '--log-stderr',
    '--log-level=3',
  ]
  const child = spawn('rtpengine', args, { stdio: 'ignore' })
  await once(child, 'spawn')
  return {
    pid: child.pid!,
    environment: { MEDIA_PLANE: 'rtpengine', RTPENGINE: `udp://127.0.0.1:${control}` },
    async close() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
