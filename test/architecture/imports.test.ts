import { posix } from 'node:path'

import { beforeAll, describe, expect, test } from 'vitest'

import { readSources, type Source, withoutComments } from './sources.ts'

/**
 * What may import what. `part` matches the beginning of a path. All files that it matches are one part and may import
 * one another; other imports must be listed. The first line that matches counts.
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
    may: [/^server\/platform\/((activity|background|clock|log)\.ts$|thread\/)/],
    rule: 'sip and media import platform/activity, background, clock, log and thread, and not each other',
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
  { part: /^web\/vite\.config\.ts$/, may: [/^build\//], rule: 'the build of the dashboard imports build' },
  {
    part: /^web\/(?!vite\.config\.ts)/,
    may: [/^server\/platform\/text\/sms-segments\.ts$/],
    rule: 'the dashboard imports only itself and platform/text/sms-segments: its client is generated',
  },
]

describe('the code', () => {
  let sources: Source[]
  beforeAll(async () => {
    sources = await readSources(['bin', 'server', 'web'])
  })

  test('imports only what the rule of its folder allows', () => {
    expect(sources.length).toBeGreaterThan(50)
    expect(sources.flatMap(forbiddenImports)).toEqual([])
  })

  test('has no import cycles', () => {
    expect(circles(sources)).toEqual([])
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
    ['server/live.ts', './api/live-channel/index.ts'],
    ['server/platform/x.ts', '../events.ts'],
    ['server/platform/x.ts', '../live.ts'],
    ['server/telephony/x.ts', '../media/embedded/mixer.ts'],
    ['server/providers/sms/x.ts', '../email/port.ts'],
    ['server/sip/x.ts', '../media/sdp.ts'],
    ['server/media/x.ts', '../sip/message.ts'],
    ['server/sip/x.ts', '../platform/db/database.ts'],
    ['server/main.ts', '../bin/bellhop.ts'],
    ['web/pages/x.tsx', '../../server/modules/contacts/schemas.ts'],
    ['web/pages/x.tsx', '../../server/platform/clock.ts'],
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
    ['web/pages/x.tsx', '../../server/platform/text/sms-segments.ts'],
    ['server/newcomer/x.ts', 'node:path'],
  ])('%s may import %s', (path, imported) => {
    expect(forbiddenImports({ path, text: `import { a } from '${imported}'` })).toEqual([])
  })

  test('finds a cycle of three files, and none where there is none', () => {
    const line = [imports('server/a.ts', './b.ts', './c.ts'), imports('server/b.ts', './c.ts')]
    expect(circles([...line, imports('server/c.ts')])).toEqual([])
    expect(circles([...line, imports('server/c.ts', './a.ts')])).toEqual([
      'server/a.ts → server/b.ts → server/c.ts → server/a.ts',
    ])
  })
})

function imports(path: string, ...others: string[]): Source {
  return { path, text: others.map((other) => `import '${other}'`).join('\n') }
}

function forbiddenImports(source: Source): string[] {
  const { path } = source
  const line = PARTS.find(({ part }) => part.test(path))
  const own = line?.part.exec(path)![0]
  return ownImports(source)
    .filter((imported) => !line || !(imported.startsWith(own!) || line.may.some((may) => may.test(imported))))
    .map((imported) => `${path} imports ${imported}, but ${line?.rule ?? 'no rule knows its folder'}`)
}

/** Each cycle once, as a path. */
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

/** The files of this project that a file imports, in any form. */
function ownImports({ path, text }: Source): string[] {
  const code = withoutComments(text)
  return [...code.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, imported]) =>
    posix.join(posix.dirname(path), imported!),
  )
}
