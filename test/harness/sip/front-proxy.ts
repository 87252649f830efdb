import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

import { packageRoot } from '../../../server/platform/package-root.ts'

/** Not on the PATH of every user. */
const KAMAILIO = '/usr/sbin/kamailio'
const KAMCMD = '/usr/sbin/kamcmd'
const LIMITS = { readyMs: 30_000, lookMs: 50 }

interface FrontProxyParts {
  address: string
  ports: { sip: number; tls: number; wss: number }
  /** Files in PEM. */
  certificate: { cert: string; key: string }
  /** host:port of each edge. */
  edges: string[]
  /** For its files. */
  folder: string
}

/** Kamailio in front of edges, as deploy/kamailio configures it. */
export async function startFrontProxy({ address, ports, certificate, edges, folder }: FrontProxyParts) {
  const list = join(folder, 'dispatcher.list')
  await writeFile(list, edges.map((edge) => `1 sip:${edge}\n`).join(''))
  const settings = {
    ADDRESS: address,
    SIP_PORT: ports.sip,
    TLS_PORT: ports.tls,
    WSS_PORT: ports.wss,
    DISPATCHER_LIST: JSON.stringify(list),
    CERTIFICATE: JSON.stringify(certificate.cert),
    PRIVATE_KEY: JSON.stringify(certificate.key),
  }
  const child = spawn(
    KAMAILIO,
    [
      '-f',
      join(packageRoot, 'deploy/kamailio/kamailio.cfg'),
      ...Object.entries(settings).flatMap(([name, value]) => ['-A', `${name}=${value}`]),
      // In the foreground, with the log on stderr, and in little memory.
      '-DD',
      '-E',
      '-m',
      '64',
      '-M',
      '8',
      '-w',
      folder,
      '-Y',
      folder,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  const ended = once(child, 'close')
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const close = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(list, { force: true })
  }
  for (const since = performance.now(); !(await accepts(address, ports.sip)); await pause(LIMITS.lookMs))
    if (!isRunning() || performance.now() - since > LIMITS.readyMs) {
      await close()
      throw new Error(`Kamailio did not start: ${said}`)
    }
  const ask = async (...command: string[]) => {
    const socket = `unix:${join(folder, 'kamailio_ctl')}`
    return (await promisify(execFile)(KAMCMD, ['-s', socket, ...command])).stdout
  }
  /** Whether it sends calls to this edge. */
  async function sendsTo(edge: string): Promise<boolean> {
    const stdout = await ask('dispatcher.list')
    return stdout.replaceAll(/\s+/g, ' ').includes(`URI: sip:${edge} FLAGS: AP`)
  }
  /** Whether it ignores what comes from this address. */
  const ignores = async (source: string) =>
    (await ask('htable.dump', 'blocked')).includes(`name: ${source}\n`)
  return { close, sendsTo, ignores, said: () => said }
}

async function accepts(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
