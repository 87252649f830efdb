import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { inject, vi } from 'vitest'

import { connect, type DedicatedSql } from '../../../server/platform/db/database.ts'
import { packageRoot } from '../../../server/platform/package-root.ts'
import { afterFile } from '../after-file.ts'
import { shareGreetings } from '../share-greetings.ts'
import { MEDIA_PORTS_SETTING } from './media-ports.ts'

export type Environment = Record<string, string>

/** The built program, as `npx bellhop` runs it. */
export const program = join(packageRoot, 'dist', 'bin', 'bellhop.js')

/** A directory that PostgreSQL can access even if it drops root for another account. Removed after the file's tests. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-'))
  await chmod(folder, 0o755)
  afterFile(async () => {
    await until(() => processesIn(folder).length === 0)
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a command to its end. Of our environment it gets only PATH. */
export async function run(
  command: string,
  args: string[],
  options: { env: Environment; cwd: string },
): Promise<Ended> {
  const child = start(command, args, options)
  const code = await child.ended
  return { code, stdout: child.stdout(), stderr: child.stderr() }
}

export const bellhop = (args: string[], options: { env: Environment; cwd: string }) =>
  run(process.execPath, [builtProgram(), ...args], options)

export interface Service {
  pid: number
  url: string
  stdout(): string
  /** The log. */
  stderr(): string
  ended: Promise<number | null>
  signal(signal: NodeJS.Signals): void
}

interface ServiceOptions {
  env: Environment
  cwd: string
  /** What to run in place of `bellhop serve`. */
  command?: string[]
  /** It creates its own database cluster. Otherwise one with all migrations is there, unless it was started before. */
  fromNothing?: boolean
}

/** Starts a service and waits until it is ready. It is stopped after the file's tests in any case. */
export async function startService({
  command,
  fromNothing = false,
  ...options
}: ServiceOptions): Promise<Service> {
  const dataDir = resolve(options.cwd, options.env.BELLHOP_DATA_DIR ?? 'data')
  await shareGreetings(dataDir)
  if (!fromNothing && !options.env.DATABASE_URL) await addCluster(dataDir)
  const [file, ...args] = command ?? [process.execPath, builtProgram(), 'serve']
  const child = start(file!, args, {
    ...options,
    env: {
      PORT: '0',
      SIP_PORT: '0',
      EDGE_HTTP_PORT: '0',
      MEDIA_PORTS: MEDIA_PORTS_SETTING,
      ...options.env,
    },
  })
  afterFile(() => child.signal('SIGKILL'))
  let over = false
  void child.ended.then(() => (over = true))
  await vi.waitFor(
    () => {
      if (!over && !/ is ready at | does background work|"status":"ready"/.test(child.stdout()))
        throw new Error('not ready yet')
    },
    { timeout: 60_000, interval: 20 },
  )
  if (over) throw new Error(`the service ended before it was ready: ${child.stderr()}`)
  return { ...child, url: /ready at (\S+)/.exec(child.stdout())?.[1] ?? '' }
}

/** To create a cluster and to migrate its database takes as much CPU time as the rest of a start. */
async function addCluster(dataDir: string): Promise<void> {
  const cluster = join(dataDir, 'postgres')
  if (!existsSync(cluster)) await promisify(execFile)('cp', ['-a', inject('emptyInstallation'), cluster])
}

/** Waits for `condition` to hold; on a busy machine PostgreSQL alone may take ten seconds to restart. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  await vi.waitFor(
    async () => {
      if (!(await condition())) throw new Error(`this never came true: ${condition.toString()}`)
    },
    { timeout: 60_000, interval: 20 },
  )
}

/** A connection to the embedded PostgreSQL of a running service, by its data directory. */
export function connectToEmbedded(dataDir: string): DedicatedSql {
  const host = join(dataDir, 'postgres', 'run')
  // Tests fill whole tables through it, even on slow machines.
  return connect(
    { host, port: 5432, user: 'postgres', database: 'bellhop' },
    { max: 1, statement_timeout: 0 },
  )
}

/** Every process that runs in the directory or has it as an argument: PostgreSQL, its children and its supervisor. */
export function processesIn(folder: string): string[] {
  const found: string[] = []
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const cwd = ofProcess(() => readlinkSync(`/proc/${pid}/cwd`))
    const command = ofProcess(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    if (`${cwd}/`.startsWith(`${folder}/`) || command.includes(folder))
      found.push(`${pid} ${command.replaceAll('\0', ' ')}`)
  }
  return found
}

/** Empty if it has ended. Read at once, because tests poll hundreds of processes: promises take several times as long. */
function ofProcess(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}

export function builtProgram(): string {
  if (existsSync(program)) return program
  throw new Error('the program is not built: run npm run build')
}

function start(command: string, args: string[], { env, cwd }: { env: Environment; cwd: string }) {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, like that of a command in a terminal, so that a signal can reach all of it.
    detached: true,
  })
  return {
    pid: child.pid!,
    stdout: collect(child.stdout),
    stderr: collect(child.stderr),
    ended: new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    }),
    signal: (signal: NodeJS.Signals) => signalGroup(child, signal),
  }
}

/** Signals the whole group, as a terminal does. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  return () => text
}
