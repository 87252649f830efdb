import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { packageRoot } from '../server/platform/package-root.ts'

interface Source {
  /** From the root of the project. */
  path: string
  text: string
}

/**
 * Who may import whom. `part` matches the beginning of a path; what it matches is one part, whose files may import
 * one another. Beyond that a part imports only what its line names. The first line that matches counts.
 */
const PARTS: { part: RegExp; may: RegExp[]; rule: string }[] = [
  { part: /^bin\//, may: [/^server\//], rule: 'the command line imports the server' },
  {
    part: /^server\/events\.ts$/,
    may: [/^server\/modules\/[^/]+\/schemas\.ts$/, /^server\/platform\/(ids|schemas)\.ts$/],
    rule: "the catalogue of events imports modules' schemas",
  },
  {
    part: /^server\/live\.ts$/,
    may: [/^server\/platform\//],
    rule: 'the catalogue of live messages imports platform',
  },
  {
    part: /^server\/config\//,
    may: [/^server\/providers\/[^/]+\/port\.ts$/, /^server\/platform\/errors\.ts$/],
    rule: 'the settings import providers/*/port and platform/errors',
  },
  {
    part: /^server\/(roles\/|wiring\/|(?=[^/]+$))/,
    may: [/^server\//],
    rule: 'the composition root imports the server',
  },
  {
    part: /^server\/api\//,
    may: [
      /^server\/modules\/[^/]+\/index\.ts$/,
      /^server\/(events|live)\.ts$/,
      /^server\/providers\/[^/]+\/port\.ts$/,
      /^server\/platform\//,
    ],
    rule: "api imports modules' index.ts, events, live, providers/*/port and platform",
  },
  {
    part: /^server\/telephony\//,
    may: [
      /^server\/modules\/[^/]+\/index\.ts$/,
      /^server\/live\.ts$/,
      /^server\/sip\//,
      /^server\/(media|speech)\/port\.ts$/,
      /^server\/providers\/[^/]+\/port\.ts$/,
      /^server\/platform\//,
    ],
    rule: "telephony imports modules' index.ts, live, sip, media/port, speech/port, providers/*/port and platform",
  },
  {
    part: /^server\/modules\/[^/]+\//,
    may: [
      /^server\/modules\/[^/]+\/index\.ts$/,
      /^server\/(events|live)\.ts$/,
      /^server\/providers\/[^/]+\/port\.ts$/,
      /^server\/(speech|embeddings)\/port\.ts$/,
      /^server\/platform\//,
    ],
    rule: "a module imports other modules' index.ts, events, live, providers/*/port, speech/port, embeddings/port and platform",
  },
  { part: /^server\/providers\/[^/]+\//, may: [/^server\/platform\//], rule: 'a provider imports platform' },
  { part: /^server\/speech\//, may: [/^server\/platform\//], rule: 'speech imports platform' },
  { part: /^server\/embeddings\//, may: [/^server\/platform\//], rule: 'embeddings import platform' },
  {
    part: /^server\/(sip|media)\//,
    may: [/^server\/platform\/(activity|background|clock|log)\.ts$/],
    rule: 'sip and media import platform/activity, background, clock and log, and not each other',
  },
  {
    part: /^server\/simulator\//,
    may: [
      /^server\/(sip|media)\//,
      /^server\/speech\/port\.ts$/,
      /^server\/platform\/(background|clock|crypto\/crypto|log)\.ts$/,
    ],
    rule: 'the simulated carrier imports sip, media, speech/port and platform/background, clock, crypto and log',
  },
  { part: /^server\/platform\//, may: [], rule: 'platform imports nothing of ours' },
  { part: /^web\//, may: [], rule: 'the dashboard imports only itself: its client is generated' },
]

/** What may stand only in some places, packages as well as words. */
const PLACES: { what: string; found: RegExp; allowed: RegExp[]; rule: string }[] = [
  {
    what: 'Fastify',
    found: /from '(@?fastify\b|@[^/']+\/fastify\b)[^']*'/,
    allowed: [/^server\/api\//, /^server\/modules\/[^/]+\/routes\.ts$/],
    rule: "only api and a module's routes.ts know Fastify",
  },
  {
    what: 'the environment',
    found: /\bprocess\.env\b/,
    allowed: [/^server\/config\.ts$/],
    rule: 'only config.ts reads the environment',
  },
  {
    what: 'time or chance',
    found:
      /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bset(Timeout|Interval|Immediate)\b|node:timers|\bMath\.random\(/,
    allowed: [
      /^server\/platform\/clock\.ts$/,
      // How long the event loop really stood still: no test clock can say.
      /^server\/platform\/(activity|event-loop)\.ts$/,
      // Lines of the log leave together after a moment; nothing depends on when.
      /^server\/platform\/log\.ts$/,
      // Waits for another program, which no test clock moves.
      /^server\/platform\/embedded-postgres\//,
      // Above main.ts, where the real clock comes from, and in the browser.
      /^(bin|web)\//,
    ],
    rule: 'time and chance are passed in',
  },
  {
    what: 'the lock of a queue',
    found: /\bas QueueTx\b|advisory\w*lock\([^;]*\bqueue /,
    allowed: [/^server\/modules\/queue\/with-queue\.ts$/],
    rule: 'only withQueue takes it',
  },
  {
    // The linter finds promises that nobody handles; this is how they were hidden from it.
    what: 'a bare void',
    found: /(?:^|=>|\breturn|\belse|[;{(&|?])[ \t]*void[ \t]+(?!0\b)[\w(['"`]/m,
    allowed: [/^web\//],
    rule: 'work is awaited, or started by platform/background.ts',
  },
]

/** What decides who waits, who rings and who is free (`employee_status` in db/schema.sql), and how it is written. */
const GUARDED: RegExp[] = [
  /\b(insert into|update|delete from)\s+(call_queue|call_offers|transfers|device_registrations)\b/,
  // Registrations go with them, and so do phones with what made them.
  /\bdelete from\s+(employees|devices|edges|sessions|api_keys|oauth_grants)\b/,
  /\bupdate employees\b[^`]*\b(told_status|do_not_disturb_\w+|invitation_pending)\s*=/,
  /\b(insert into calls\b[^`]*\bcontroller_id|update calls\b[^`]*\b(controller_id\s*=|state\s*=\s*'ended'))/,
]

/** Write there without the queue, for the reason that stands with each. */
const UNGUARDED = new Set([
  'refreshRegistration',
  'deleteEdge',
  // Without phones: of sessions and grants that have none, or none yet.
  'deleteDeadSessions',
  'deleteOwingSession',
  'deleteExpired',
])

/** More files in a folder than a reader takes in at once; its tests are not counted. */
const FOLDER_FILES_MAX = 12

/** Folders that may have more, and why. */
const FULL_FOLDERS: Record<string, string> = {
  'bin/commands': 'a file for each noun of the command line',
  'web/api': 'a file for each module of the API',
  'web/i18n': 'a file for each page',
}

const EMPTY_NAMES = /(^|\/)(utils?|helpers?|common|misc)(\.[^/]*)?(\/|$)/

describe('the code', () => {
  let sources: Source[]
  beforeAll(async () => {
    sources = await readSources(['bin', 'server', 'web'])
  })

  test('imports only what the rule of its folder allows', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(sources.flatMap(forbiddenImports)).toEqual([])
  })

  test('uses Fastify, the environment, time and chance only in their places', () => {
    expect(sources.flatMap(misplaced)).toEqual([])
  })

  test('writes who waits, rings or is free only with the queue of the company', () => {
    expect(sources.flatMap(writesWithoutQueue)).toEqual([])
    const writers = new Set(sources.flatMap((source) => guardedWriters(source).map(({ name }) => name)))
    expect(writers.size).toBeGreaterThan(20)
    expect([...UNGUARDED].filter((name) => !writers.has(name))).toEqual([])
  })

  test('has no files that import one another in a circle', () => {
    expect(circles(sources)).toEqual([])
  })

  test('has folders that can be taken in at once', () => {
    const crowded = crowdedFolders(sources.map(({ path }) => path))
    expect(crowded.filter((folder) => !FULL_FOLDERS[folder])).toEqual([])
    expect(Object.keys(FULL_FOLDERS).filter((folder) => !crowded.includes(folder))).toEqual([])
  })

  test('has no file that is named after nothing', () => {
    expect(sources.map(({ path }) => path).filter((path) => EMPTY_NAMES.test(path))).toEqual([])
  })
})

describe('the check itself', () => {
  test.each([
    ['server/platform/x.ts', '../modules/contacts/index.ts'],
    ['server/platform/x.ts', '../config.ts'],
    ['server/modules/contacts/x.ts', '../company/queries.ts'],
    ['server/modules/contacts/x.ts', '../../api/app.ts'],
    ['server/modules/contacts/x.ts', '../../telephony/call/control.ts'],
    ['server/modules/contacts/x.ts', '../../providers/email/smtp.ts'],
    ['server/modules/contacts/x.ts', '../../main.ts'],
    ['server/api/x.ts', '../modules/contacts/contacts.ts'],
    ['server/api/x.ts', '../telephony/call/control.ts'],
    ['server/api/x.ts', '../providers/storage/s3.ts'],
    ['server/events.ts', './platform/clock.ts'],
    ['server/live.ts', './modules/contacts/index.ts'],
    ['server/live.ts', './api/cable/index.ts'],
    ['server/platform/x.ts', '../events.ts'],
    ['server/platform/x.ts', '../live.ts'],
    ['server/telephony/x.ts', '../media/embedded/mixer.ts'],
    ['server/providers/sms/x.ts', '../email/port.ts'],
    ['server/sip/x.ts', '../media/sdp.ts'],
    ['server/media/x.ts', '../sip/message.ts'],
    ['server/sip/x.ts', '../platform/db/database.ts'],
    ['server/main.ts', '../bin/bellhop.ts'],
    ['web/pages/x.tsx', '../../server/modules/contacts/schemas.ts'],
    ['server/newcomer/x.ts', '../platform/clock.ts'],
  ])('%s may not import %s', (path, imported) => {
    const written = [
      `import { a } from '${imported}'`,
      `import type { A } from '${imported}'`,
      `import {\n  a,\n  type B,\n} from '${imported}'`,
      `import '${imported}'`,
      `export * from '${imported}'`,
      `const a = await import('${imported}')`,
    ]
    for (const text of written) {
      const [found, ...more] = forbiddenImports({ path, text })
      expect(more).toEqual([])
      expect(found).toContain(path)
      expect(found).toContain(posix.join(posix.dirname(path), imported))
    }
  })

  test.each([
    ['bin/commands/x.ts', '../../server/modules/contacts/index.ts'],
    ['server/main.ts', './providers/email/smtp.ts'],
    ['server/api/x.ts', '../modules/contacts/index.ts'],
    ['server/api/x.ts', '../events.ts'],
    ['server/api/x.ts', '../providers/storage/port.ts'],
    ['server/modules/contacts/x.ts', './queries.ts'],
    ['server/modules/contacts/x.ts', '../../events.ts'],
    ['server/modules/contacts/x.ts', '../../live.ts'],
    ['server/live.ts', './platform/db/pubsub.ts'],
    ['server/modules/contacts/x.ts', '../company/index.ts'],
    ['server/modules/contacts/x.ts', '../../providers/email/port.ts'],
    ['server/modules/numbers/x.ts', '../../speech/port.ts'],
    ['server/telephony/flow/x.ts', '../../media/port.ts'],
    ['server/sip/x.ts', '../platform/clock.ts'],
    ['server/media/x.ts', '../platform/background.ts'],
    ['server/platform/jobs/x.ts', '../db/database.ts'],
    ['server/newcomer/x.ts', 'node:path'],
  ])('%s may import %s', (path, imported) => {
    expect(forbiddenImports({ path, text: `import { a } from '${imported}'` })).toEqual([])
  })

  test.each([
    ['server/modules/contacts/contacts.ts', "import type { FastifyReply } from 'fastify'"],
    ['server/platform/x.ts', "import cookie from '@fastify/cookie'"],
    ['server/main.ts', "import scalar from '@scalar/fastify-api-reference'"],
    ['server/main.ts', 'const port = process.env.PORT'],
    ['server/platform/x.ts', 'const at = Date.now()'],
    ['server/platform/x.ts', 'const at = new Date()'],
    ['server/modules/contacts/x.ts', 'setTimeout(run, 10)'],
    ['server/modules/contacts/x.ts', "import { setTimeout as sleep } from 'node:timers/promises'"],
    ['server/telephony/x.ts', 'Math.random() < 0.5'],
    ['server/telephony/x.ts', '  void look()'],
    ['server/telephony/x.ts', 'clock.after(10, () => void look())'],
    ['server/sip/x.ts', 'if (isOver) return void this.bye()'],
    ['bin/x.ts', 'void (async () => {})()'],
    ['server/modules/employees/x.ts', 'await run(tx as QueueTx)'],
    ['server/modules/queue/queries.ts', "pg_advisory_xact_lock(hashtextextended('queue ' || id, 0))"],
    ['bin/x.ts', 'pg_try_advisory_xact_lock(hashtextextended(${`queue ${companyId}`}, 0))'],
  ])('%s may not have: %s', (path, text) => {
    expect(misplaced({ path, text })).toEqual([expect.stringContaining(path)])
  })

  test.each([
    ['server/api/x.ts', "import Fastify from 'fastify'"],
    ['server/config.ts', 'process.env'],
    ['server/platform/clock.ts', 'new Date()'],
    ['server/platform/x.ts', 'new Date(text)'],
    ['server/platform/x.ts', 'interface A {\n  run: () => void\n  stop(): void\n  next(): Promise<void>\n}'],
    ['server/platform/x.ts', 'inBackground(log, "look", look)'],
    ['server/platform/x.ts', '// Unlike Date.now(), this can be moved.'],
    ['server/platform/x.ts', '/** Unlike\n * Math.random(), this is safe. */'],
  ])('%s may have: %s', (path, text) => {
    expect(misplaced({ path, text })).toEqual([])
  })

  test.each([
    'insert into call_queue (company_id)',
    'update call_offers set declined = true',
    'delete from call_offers o using call_queue q',
    "update transfers set state = 'failed'",
    'delete from\n      device_registrations where edge_id = ${edgeId}',
    'delete from devices where id = ${id}',
    'delete from employees where id = ${id}',
    'delete from sessions where id = ${id}',
    'delete from oauth_grants\n    where client_id = ${clientId}',
    'update employees set told_status = ${status(tx)}',
    'update employees\n    set do_not_disturb_activated_at = null',
    'update employees set password_hash = ${hash}, invitation_pending = false',
    "update calls set state = 'ended', ended_at = ${at}",
    'update calls set controller_id = ${employeeId}',
    'insert into calls (company_id, controller_id) values (${companyId}, ${employeeId})',
  ])('needs the queue to: %s', (statement) => {
    const path = 'server/modules/x/queries.ts'
    const written = (tx: string) =>
      `
      export const other = (tx: QueueTx) => tx\`select\`
      export async function write(tx: ${tx}, id: string) {
        await tx\`${statement}\`
      }`.replaceAll('\n      ', '\n')
    expect(writesWithoutQueue({ path, text: written('Tx') })).toEqual([
      expect.stringContaining(`${path} write`),
    ])
    expect(writesWithoutQueue({ path, text: written('QueueTx') })).toEqual([])
  })

  test.each([
    'select from call_queue where call_id = ${id}',
    "update calls set state = ${state} where state <> 'ended'",
    'update employees set name = ${name}, updated_at = now()',
    'insert into devices (company_id) values (${companyId})',
  ])('needs no queue to: %s', (statement) => {
    const text = `export async function write(tx: Tx) {\n  await tx\`${statement}\`\n}`
    expect(writesWithoutQueue({ path: 'server/modules/x/queries.ts', text })).toEqual([])
  })

  test('finds a circle of three files, and none where there is none', () => {
    const line = [imports('server/a.ts', './b.ts', './c.ts'), imports('server/b.ts', './c.ts')]
    expect(circles([...line, imports('server/c.ts')])).toEqual([])
    expect(circles([...line, imports('server/c.ts', './a.ts')])).toEqual([
      'server/a.ts → server/b.ts → server/c.ts → server/a.ts',
    ])
  })

  test('finds a folder with too many files, and none with as many as it may have', () => {
    const files = Array.from({ length: FOLDER_FILES_MAX }, (_, i) => `server/a/${i}.ts`)
    expect(crowdedFolders([...files, 'server/a/b/c.ts'])).toEqual([])
    expect(crowdedFolders([...files, 'server/a/more.ts'])).toEqual(['server/a'])
  })

  test.each(['server/utils.ts', 'server/api/helpers/x.ts', 'web/common.test.tsx', 'server/misc/a.ts'])(
    '%s is named after nothing',
    (path) => expect(path).toMatch(EMPTY_NAMES),
  )
})

function imports(path: string, ...others: string[]): Source {
  return { path, text: others.map((other) => `import '${other}'`).join('\n') }
}

async function readSources(folders: string[]): Promise<Source[]> {
  const sources: Source[] = []
  for (const folder of folders) {
    const found = await readdir(join(packageRoot, folder), { recursive: true }).catch(() => [])
    for (const name of found) {
      const path = posix.join(folder, name)
      // Tests, and what several of them share, reach for the harness from wherever they stand.
      if (!/\.tsx?$/.test(path) || /(\.test|\/contract)\.tsx?$|\/fixtures\//.test(path)) continue
      sources.push({ path, text: await readFile(join(packageRoot, path), 'utf8') })
    }
  }
  return sources
}

function forbiddenImports(source: Source): string[] {
  const { path } = source
  const line = PARTS.find(({ part }) => part.test(path))
  const own = line?.part.exec(path)![0]
  return ownImports(source)
    .filter((imported) => !line || !(imported.startsWith(own!) || line.may.some((may) => may.test(imported))))
    .map((imported) => `${path} imports ${imported}, but ${line?.rule ?? 'no rule knows its folder'}`)
}

function misplaced({ path, text }: Source): string[] {
  const code = withoutComments(text)
  return PLACES.filter(
    ({ found, allowed }) => found.test(code) && !allowed.some((place) => place.test(path)),
  ).map(({ what, found, rule }) => `${path} has ${what} (${found.exec(code)![0]}), but ${rule}`)
}

function writesWithoutQueue(source: Source): string[] {
  return guardedWriters(source)
    .filter(({ name, code }) => !/\bQueueTx\b/.test(code) && !UNGUARDED.has(name))
    .map(({ name }) => `${source.path} ${name} writes who waits, rings or is free, but takes no QueueTx`)
}

/** The declarations of a file whose SQL writes what the queue guards. */
function guardedWriters({ text }: Source): { name: string; code: string }[] {
  const declarations = withoutComments(text).split(/^(?=(?:export |async |function |const |class ))/m)
  return declarations
    .filter((code) => GUARDED.some((guarded) => guarded.test(code)))
    .map((code) => ({ name: /\b(?:function|const|class) (\w+)/.exec(code)?.[1] ?? code, code }))
}

function crowdedFolders(paths: string[]): string[] {
  const files = new Map<string, number>()
  for (const folder of paths.map((path) => posix.dirname(path)))
    files.set(folder, (files.get(folder) ?? 0) + 1)
  return [...files].flatMap(([folder, count]) => (count > FOLDER_FILES_MAX ? [folder] : []))
}

/** Each circle once, as the path that leads around it. */
function circles(sources: Source[]): string[] {
  const imports = new Map(sources.map((source) => [source.path, ownImports(source)]))
  const done = new Set<string>()
  const found: string[] = []
  const follow = (path: string, way: string[]) => {
    const start = way.indexOf(path)
    if (start !== -1) found.push([...way.slice(start), path].join(' → '))
    if (start !== -1 || done.has(path)) return
    for (const next of imports.get(path) ?? []) follow(next, [...way, path])
    done.add(path)
  }
  for (const { path } of sources) follow(path, [])
  return found
}

/** The files of ours that a file imports, in whichever way. */
function ownImports({ path, text }: Source): string[] {
  const code = withoutComments(text)
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, imported]) =>
    posix.join(posix.dirname(path), imported!),
  )
}

function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '')
}
