import { once } from 'node:events'

import { spawnRtpengine } from '../harness/processes/rtpengine-process.ts'

/** Ports that no test has, and that the system does not choose. */
const CONTROL = 9_922
const PORTS = { from: 30_000, to: 32_767 }

/** One rtpengine for all edges within the processes of the tests. */
export default async function setup(): Promise<() => Promise<void>> {
  const child = spawnRtpengine(CONTROL, PORTS)
  await once(child, 'spawn')
  process.env.MEDIA_PLANE = 'rtpengine'
  process.env.RTPENGINE = `udp://127.0.0.1:${CONTROL}`
  return async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}
