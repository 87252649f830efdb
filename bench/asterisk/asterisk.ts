/** Asterisk in a process of its own, with the same numbers, phones and greeting as Bellhop. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { encodeG711, SILENT_CODE } from '../../server/media/audio/g711.ts'
import { createResampler } from '../../server/media/audio/resampler.ts'
import { openWav } from '../../server/media/audio/wav-reader.ts'
import { connectParties, freePort } from '../calls/phone-system.ts'
import { type AsteriskPlace, configFiles, phoneOf } from './asterisk-config.ts'
import { openCallRecords } from './call-records.ts'
import { type Pbx, numberOf } from './pbx.ts'
import { cpuMsOf, memoryOf } from './processes.ts'

const MUSIC_SECONDS = 30
const LIMITS = { startMs: 60_000, registeredMs: 120_000, stopMs: 10_000 }

export interface Asterisk extends Pbx {
  name: 'asterisk'
  /** Whether the records of the next calls go to PostgreSQL, besides a file. */
  recordsInPostgres(on: boolean): void
  countRecords(): Promise<number>
}

export async function openAsterisk(options: {
  root: string
  dir: string
  lines: number
  /** A WAV file. */
  greeting: string
}): Promise<Asterisk> {
  const { root, dir, lines } = options
  const records = await openCallRecords(join(dir, 'postgres'))
  const place = { root, dir, lines, sipPort: await freePort(), records: records.address }
  await writeFiles(place, options.greeting)
  const { child, command } = await start(place)
  command('module unload cdr_pgsql.so')
  const devices = Array.from({ length: lines }, (_, line) => phoneOf(line))
  const numbers = devices.map((_, line) => numberOf(line))
  const parties = await connectParties({ sipPort: place.sipPort, numbers, devices })
  await untilRegistered(command, lines)
  return {
    ...parties,
    name: 'asterisk',
    cpuMs: () => ({ own: cpuMsOf(child.pid!), postgres: cpuMsOf(records.pid) }),
    memory: () => ({ own: memoryOf(child.pid!), postgres: memoryOf(records.pid) }),
    async record(on) {
      command(`dialplan set global REC ${on ? 1 : 0}`)
    },
    recordsInPostgres: (on) => void command(`module ${on ? 'load' : 'unload'} cdr_pgsql.so`),
    countRecords: () => records.count(),
    async close() {
      await parties.close()
      await stop(child)
      await records.close()
    },
  }
}

async function writeFiles(place: AsteriskPlace, greeting: string): Promise<void> {
  const { root, dir } = place
  for (const folder of ['etc', 'lib', 'db', 'key', 'run', 'spool/monitor', 'log/cdr-csv', 'log/cdr-custom'])
    await mkdir(join(dir, folder), { recursive: true })
  await cp(join(root, 'var/lib/asterisk'), join(dir, 'data'), { recursive: true })
  for (const folder of ['sounds/en', 'moh']) await mkdir(join(dir, 'data', folder), { recursive: true })
  await writeFile(join(dir, 'data/sounds/en/hej.alaw'), await alawOf(greeting))
  await writeFile(join(dir, 'data/moh/silence.alaw'), Buffer.alloc(MUSIC_SECONDS * 8_000, SILENT_CODE.pcma))
  for (const [name, text] of Object.entries(configFiles(place))) await writeFile(join(dir, 'etc', name), text)
}

async function alawOf(file: string): Promise<Uint8Array> {
  const read = openWav(await readFile(file))
  if (!read.ok) throw new Error(`${file}: ${read.why}`)
  const resampler = createResampler(read.wav)
  return encodeG711('pcma', resampler.render(0, resampler.length))
}

async function start({ root, dir }: AsteriskPlace) {
  const program = join(root, 'sbin/asterisk')
  const config = join(dir, 'etc/asterisk.conf')
  const child = spawn(program, ['-f', '-C', config], { stdio: 'ignore', cwd: dir })
  process.once('exit', () => child.kill('SIGKILL'))
  const command = (text: string) =>
    spawnSync(program, ['-C', config, '-rx', text], { encoding: 'utf8' }).stdout
  for (const begin = performance.now(); performance.now() - begin < LIMITS.startMs; await pause(250)) {
    if (child.exitCode !== null) break
    if (/fully booted/i.test(command('core waitfullybooted'))) return { child, command }
  }
  child.kill('SIGKILL')
  const log = await readFile(join(dir, 'log/messages.log'), 'utf8').catch(() => '')
  throw new Error(`Asterisk did not start: ${log.slice(-2_000)}`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMITS.stopMs)
  await gone
  clearTimeout(timer)
}

async function untilRegistered(command: (text: string) => string, lines: number): Promise<void> {
  let count = 0
  for (const begin = performance.now(); performance.now() - begin < LIMITS.registeredMs; await pause(500)) {
    count = Number(/Objects found: (\d+)/.exec(command('pjsip show contacts'))?.[1] ?? 0)
    if (count >= lines) return
  }
  throw new Error(`only ${count} of ${lines} phones registered at Asterisk`)
}
