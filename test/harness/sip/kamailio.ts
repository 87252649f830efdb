import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { vi } from 'vitest'

import { afterFile } from '../after-file.ts'
import { freePorts } from '../processes/ports.ts'

/** Not the address of phones, so that Bellhop can recognise the carrier by it. */
export const KAMAILIO_HOST = '127.0.0.2'
export const KAMAILIO_DOMAIN = 'carrier.test'
export const KAMAILIO_PASSWORD = 'secret-at-kamailio'

/** Not on the PATH of every user. */
const KAMAILIO = '/usr/sbin/kamailio'

/** Four for each call, and what is left of the calls before. */
const MEDIA_PORTS = 24

/** Where Kamailio will listen; trunks are configured before it starts. */
export async function placeOfKamailio() {
  const [port, control, media] = [await freePorts(2), await freePorts(2), await freePorts(MEDIA_PORTS)]
  return { port, tlsPort: port + 1, control, media }
}

/**
 * A carrier of programs that others wrote: Kamailio routes between Bellhop and the outside, and rtpengine, without its
 * kernel module, forwards the media. They run until the file's tests are over.
 */
export async function startKamailio(options: {
  at: Awaited<ReturnType<typeof placeOfKamailio>>
  /** The ports at which customers, and Bellhop without a registration, are called by UDP. */
  outside: number
  bellhop: number
  certificate: { SIP_TLS_CERT: string; SIP_TLS_KEY: string }
}) {
  const { at, outside, bellhop, certificate } = options
  const dir = await mkdtemp(join(tmpdir(), 'bellhop-kamailio-'))
  const settings: Record<string, string | number> = {
    HOST: KAMAILIO_HOST,
    PORT: at.port,
    TLS_PORT: at.tlsPort,
    CONTROL_PORT: at.control,
    DOMAIN: KAMAILIO_DOMAIN,
    PASSWORD: KAMAILIO_PASSWORD,
    OUTSIDE_PORT: outside,
    OUTSIDE: `127.0.0.1:${outside}`,
    BELLHOP: `127.0.0.1:${bellhop}`,
    KEY_FILE: certificate.SIP_TLS_KEY,
    CERT_FILE: certificate.SIP_TLS_CERT,
  }
  const template = await readFile(join(import.meta.dirname, 'kamailio.cfg'), 'utf8')
  const file = join(dir, 'kamailio.cfg')
  await writeFile(
    file,
    template.replace(/@([A-Z_]+)@/g, (_, name: string) => String(settings[name])),
  )
  afterFile(() => rm(dir, { recursive: true, force: true }))
  const rtpengine = start('rtpengine', [
    '--foreground',
    '--log-stderr',
    '--log-level=5',
    // Without the kernel module.
    '--table=-1',
    `--interface=${KAMAILIO_HOST}`,
    `--listen-ng=${KAMAILIO_HOST}:${at.control}`,
    `--port-min=${at.media}`,
    `--port-max=${at.media + MEDIA_PORTS - 1}`,
    '--delete-delay=0',
    '--num-threads=2',
    // Not the settings of the service.
    '--config-file=none',
  ])
  await ready(rtpengine, () => isPinged(at.control))
  const kamailio = start(KAMAILIO, ['-f', file, '-DD', '-E', '-m', '32', '-M', '8', '-w', dir, '-Y', dir])
  await ready(kamailio, () => accepts(at.port))
}

function start(program: string, args: string[]) {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout!.on('data', (chunk) => (said += String(chunk)))
  child.stderr!.on('data', (chunk) => (said += String(chunk)))
  const ended = once(child, 'close')
  afterFile(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { said: () => said, isRunning: () => child.exitCode === null && child.signalCode === null }
}

async function ready(service: ReturnType<typeof start>, condition: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(
    async () => {
      if (service.isRunning() && !(await condition())) throw new Error(`not ready yet: ${service.said()}`)
    },
    { timeout: 30_000, interval: 50 },
  )
  if (!service.isRunning()) throw new Error(`it ended at once: ${service.said()}`)
}

/** Whether rtpengine responds to a ping of its control protocol, which is bencoded. */
async function isPinged(port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  try {
    await once(socket, 'listening')
    socket.send('1 d7:command4:pinge', port, KAMAILIO_HOST)
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(1_000) })) as [Buffer]
    return answer.includes('pong')
  } catch {
    return false
  } finally {
    socket.close()
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, KAMAILIO_HOST)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
