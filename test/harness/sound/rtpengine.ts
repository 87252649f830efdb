import { createSocket } from 'node:dgram'
import { once } from 'node:events'

import { vi } from 'vitest'

import { afterFile } from '../after-file.ts'
import { freePort } from '../processes/ports.ts'
import { spawnRtpengine } from '../processes/rtpengine-process.ts'

/** Above the ports of the media planes in tests, and above those that the system chooses for the sockets of phones. */
const MEDIA_PORTS = { from: 61_000, each: 200, processes: 22 }

let started = 0

/** A real rtpengine without its kernel module. It runs until the file's tests are over, or until it is killed. */
export async function startRtpengine({ port }: { port?: number } = {}) {
  const control = port ?? (await freePort())
  const place = (process.pid * 3 + started++) % MEDIA_PORTS.processes
  const from = MEDIA_PORTS.from + place * MEDIA_PORTS.each
  const ports = { from, to: from + MEDIA_PORTS.each - 1 }
  const child = spawnRtpengine(control, ports)
  const end = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await end
  }
  afterFile(kill)
  await vi.waitUntil(() => isPinged(control), { timeout: 30_000, interval: 50 })
  return {
    port: control,
    ports,
    address: { host: '127.0.0.1', port: control },
    pid: child.pid!,
    /** At once, as if the machine had failed. */
    kill,
    stop: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  }
}

export type Rtpengine = Awaited<ReturnType<typeof startRtpengine>>

/** The settings of a service that leads its media through them. */
export const settingsOf = (rtpengines: Rtpengine[]): Record<string, string> => ({
  MEDIA_PLANE: 'rtpengine',
  RTPENGINE: rtpengines.map(({ port }) => `udp://127.0.0.1:${port}`).join(','),
})

/** Whether our address in an SDP offer or answer is a port of this instance. */
export function isAtRtpengine({ ports }: Rtpengine, sdp: string): boolean {
  const port = Number(/^m=audio (\d+)/m.exec(sdp)![1])
  return port >= ports.from && port <= ports.to
}

async function isPinged(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  try {
    socket.send('1 {"command":"ping"}', port, '127.0.0.1')
    return await Promise.race([
      once(socket, 'message').then(() => true),
      once(socket, 'error').then(() => false),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 200)),
    ])
  } finally {
    socket.close()
  }
}
