import { beforeAll, describe, expect, test } from 'vitest'

import { readSources, type Source, withoutComments } from './sources.ts'

/** Packages and words that may occur only in some places. */
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
    allowed: [
      /^server\/config\.ts$/,
      // The protocol of systemd, and no setting.
      /^bin\/service\/systemd\.ts$/,
    ],
    rule: 'only config.ts reads the environment',
  },
  {
    what: 'time or chance',
    found:
      /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bset(Timeout|Interval|Immediate)\b|node:timers|\bMath\.random\(/,
    allowed: [
      /^server\/platform\/clock\.ts$/,
      // How long the event loop was really blocked: no test clock can tell.
      /^server\/platform\/(activity|event-loop)\.ts$/,
      // Log lines are flushed together after a moment; nothing depends on when.
      /^server\/platform\/log\.ts$/,
      // Waits for another program, which no test clock moves.
      /^server\/platform\/embedded-postgres\//,
      // Above main.ts, which passes in the real clock, and in the browser.
      /^(bin|web)\//,
    ],
    rule: 'time and chance are passed in',
  },
  {
    what: 'the lock of a queue',
    found: /\bas QueueTx\b|\block-queries\.ts'|advisory\w*lock\([^;]*\bqueue /,
    allowed: [/^server\/modules\/queue\/(with-queue|lock-queries)\.ts$/],
    rule: 'only withQueue takes it',
  },
  {
    what: 'SQL',
    found:
      /\b(sql|tx|queue)`\s*[^`\s]|[\w)>]`\s*(select|insert into|update|delete from|with|lock|set|create|alter|drop|truncate|copy|listen|notify)\b|\.unsafe\(/,
    allowed: [/(\/|-)queries\.ts$/, /^server\/platform\/db\//],
    rule: 'only queries.ts, *-queries.ts and platform/db have it',
  },
  {
    // The linter finds unhandled promises; this is how they were hidden from it.
    what: 'a bare void',
    found: /(?:^|=>|\breturn|\belse|[;{(&|?])[ \t]*void[ \t]+(?!0\b)[\w(['"`]/m,
    allowed: [/^web\//],
    rule: 'work is awaited, or started by platform/background.ts',
  },
]

describe('the code', () => {
  let sources: Source[]
  beforeAll(async () => {
    sources = await readSources(['bin', 'server', 'web'])
  })

  test('uses Fastify, the environment, time, randomness and SQL only in the allowed files', () => {
    expect(sources.flatMap(misplaced)).toEqual([])
  })
})

describe('the check itself', () => {
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
    ['server/modules/contacts/contacts.ts', 'await tx`select from contacts`'],
    [
      'server/modules/contacts/contacts.ts',
      'const [row] = await tx<{ id: string }[]>`\n    update contacts`',
    ],
    ['server/modules/contacts/contacts.ts', 'const columns = sql`id, name`'],
    ['server/platform/jobs/job.ts', 'await reserved`select 1`'],
    ['server/wiring/database.ts', "await connection.unsafe('vacuum')"],
    ['server/modules/queue/queue.ts', "import { lockQueues } from './lock-queries.ts'"],
    ['server/modules/queue/queries.ts', "pg_advisory_xact_lock(hashtextextended('queue ' || id, 0))"],
    ['bin/x.ts', 'pg_try_advisory_xact_lock(hashtextextended(${`queue ${companyId}`}, 0))'],
  ])('%s may not have: %s', (path, text) => {
    expect(misplaced({ path, text })).toEqual([expect.stringContaining(path)])
  })

  test.each([
    ['server/api/x.ts', "import Fastify from 'fastify'"],
    ['server/modules/contacts/queries.ts', 'await tx`select from contacts`'],
    ['server/modules/calls/search/keyword-queries.ts', 'await sql`select from calls`'],
    ['server/platform/db/migrate.ts', 'await tx.unsafe(statements)'],
    ['server/modules/contacts/pages.ts', 'html`<p>select</p>`'],
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
})

function misplaced({ path, text }: Source): string[] {
  const code = withoutComments(text)
  return PLACES.filter(
    ({ found, allowed }) => found.test(code) && !allowed.some((place) => place.test(path)),
  ).map(({ what, found, rule }) => `${path} has ${what} (${found.exec(code)![0]}), but ${rule}`)
}
