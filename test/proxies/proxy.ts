import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, vi } from 'vitest'

import { packageRoot } from '../../server/platform/package-root.ts'

interface Place {
  /** Of https. */
  port: number
  /** Of Bellhop. */
  bellhop: string
  /** The files of a certificate for localhost. */
  cert: string
  key: string
}

/** A reverse proxy that is set up by a file of ours. */
interface Program {
  file: string
  /** What an operator edits, and what it is in a test. */
  edits(place: Place): [string, string][]
  /** The text of a file that includes ours, if the program needs one. */
  including?(file: string, dir: string): string
  command(file: string): [string, ...string[]]
}

/** It redirects from port 80 otherwise, which another program may have, and which not everybody may open. */
const CADDY_IN_TESTS = '{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1 ::1\n}\n'

export const PROXIES: Record<'nginx' | 'Caddy', Program> = {
  nginx: {
    file: 'deploy/nginx/bellhop.conf',
    edits: ({ port, bellhop, cert, key }) => [
      ['server 127.0.0.1:3000;', `server ${bellhop};`],
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['listen [::]:443 ssl', `listen [::1]:${port} ssl`],
      ['server_name phone.example.com;', 'server_name localhost;'],
      ['/etc/letsencrypt/live/phone.example.com/fullchain.pem', cert],
      ['/etc/letsencrypt/live/phone.example.com/privkey.pem', key],
    ],
    // As Debian's nginx.conf includes it; of the rest, what nginx needs to run as anybody.
    including: (file, dir) => {
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const http = `access_log off; ${folders.map((name) => `${name}_temp_path ${dir};`).join(' ')} include ${file};`
      return `pid ${dir}/pid; daemon off; worker_processes 1; events {} http { ${http} }`
    },
    command: (file) => ['/usr/sbin/nginx', '-e', 'stderr', '-c', file],
  },
  Caddy: {
    file: 'deploy/caddy/Caddyfile',
    edits: ({ port, bellhop, cert, key }) => [
      ['\nphone.example.com {', `\n${CADDY_IN_TESTS}\nhttps://localhost:${port} {\n\ttls ${cert} ${key}`],
      ['127.0.0.1:3000', bellhop],
    ],
    command: (file) => ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'],
  },
}

/** Starts a proxy with our file, in which only what an operator edits is changed. Returns what stops it. */
export async function startProxy(program: Program, place: Place): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'bellhop-proxy-'))
  const file = join(dir, 'proxy')
  let text = await readFile(join(packageRoot, program.file), 'utf8')
  for (const [from, to] of program.edits(place)) {
    expect(text.split(from), `${from} in ${program.file}`).toHaveLength(2)
    text = text.replace(from, to)
  }
  await writeFile(file, text)
  const main = program.including ? join(dir, 'main') : file
  if (program.including) await writeFile(main, program.including(file, dir))
  const [command, ...args] = program.command(main)
  const env = { PATH: process.env.PATH, HOME: dir }
  const child: ChildProcess = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const output of [child.stdout!, child.stderr!]) output.on('data', (chunk) => (said += String(chunk)))
  const ended = once(child, 'close')
  const isOver = () => child.exitCode !== null
  await vi.waitFor(async () => isOver() || (await expectListening(place.port)), {
    timeout: 30_000,
    interval: 50,
  })
  if (isOver()) throw new Error(`${command} ended at once: ${said}`)
  return async () => {
    child.kill('SIGTERM')
    await ended
    await rm(dir, { recursive: true })
  }
}

async function expectListening(port: number): Promise<true> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } finally {
    socket.destroy()
  }
}
