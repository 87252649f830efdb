import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Outside the ports that tests have rtpengine listen on, and the system chooses. */
const CONTROL = 9_922
const PORTS = { from: 30_000, to: 32_767 }

/** One rtpengine for all edges within the processes of the tests. */
export default async function setup(): Promise<() => Promise<void>> {
  const child = spawn(
    'rtpengine',
    [
      '--foreground',
      '--log-stderr',
      '--log-level=4',
      '--table=-1',
      '--interface=127.0.0.1',
      '--interface=::1',
      `--listen-ng=127.0.0.1:${CONTROL}`,
      `--port-min=${PORTS.from}`,
      `--port-max=${PORTS.to}`,
      '--config-file=none',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  await once(child, 'spawn')
  process.env.MEDIA_PLANE = 'rtpengine'
  process.env.RTPENGINE = `udp://127.0.0.1:${CONTROL}`
  return async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}
