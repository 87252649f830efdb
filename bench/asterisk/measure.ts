/**
 * Starts Bellhop and Asterisk, gives both the same calls in the modes that are named, and appends what was measured to
 * a file, as a line of JSON each. `docs/performance.md` says what each mode measures.
 */
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { withFixture } from '../fixture.ts'
import { openAsterisk } from './asterisk.ts'
import { openBellhop } from './bellhop.ts'
import { linesOf, parseCompanies } from './companies.ts'
import { MODES } from './modes/index.ts'
import type { Pbx } from './pbx.ts'
import { describeProfile, type Span } from './reports/cpu-profile.ts'
import { openRtpengine } from './rtpengine.ts'
import { createReport } from './run-context.ts'

const { values: options, positionals: modes } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: 'string', default: 'versus-asterisk.jsonl' },
    /** Numbers of companies and their sizes; Asterisk has the lines of the first group only. */
    companies: { type: 'string', default: '5x40' },
    lines: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '5' },
    'turn-ms': { type: 'string', default: '3000' },
    /** Calls at once, for the modes bridged, most and recorded. */
    sizes: { type: 'string' },
    'bellhop-only': { type: 'boolean', default: false },
    /** Bellhop's media through rtpengine. */
    rtpengine: { type: 'boolean', default: false },
  },
})
const root = process.env.ASTERISK_ROOT
if (!root && !options['bellhop-only'])
  stop('Set ASTERISK_ROOT to where Asterisk is installed, or give --bellhop-only.')
const unknown = modes.filter((mode) => !MODES[mode])
if (unknown.length > 0)
  stop(`There is no mode ${unknown.join(', ')}; there is ${Object.keys(MODES).join(', ')}.`)

const companies = parseCompanies(options.companies)
const lines = linesOf(companies.slice(0, 1))
if (lines < Number(options.lines))
  stop(`--companies ${options.companies} has no ${options.lines} lines at first.`)

const scratch = await mkdtemp(join(tmpdir(), 'bellhop-versus-'))
// If run as root, PostgreSQL drops to another account, which must be able to enter the directory.
await chmod(scratch, 0o755)
const profiles = join(scratch, 'profiles')
const spans: Span[] = []
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
try {
  await withFixture(async (fixture) => {
    process.once('exit', () => fixture.processIds().forEach(end))
    const rtpengine = options.rtpengine ? await openRtpengine() : undefined
    process.once('exit', () => rtpengine && end(rtpengine.pid))
    const pbxs: Pbx[] = []
    try {
      const nodeOptions = modes.includes('profile')
        ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=400']
        : []
      const bellhop = await openBellhop(fixture, { companies, nodeOptions, rtpengine })
      pbxs.push(bellhop)
      const asterisk = options['bellhop-only']
        ? undefined
        : await openAsterisk({
            root: root!,
            dir: join(scratch, 'asterisk'),
            lines,
            greeting: bellhop.greeting,
          })
      if (asterisk) pbxs.push(asterisk)
      const run = {
        bellhop,
        asterisk,
        pbxs,
        companies,
        lines: Number(options.lines),
        rounds: Number(options.rounds),
        turnMs: Number(options['turn-ms']),
        sizes: options.sizes?.split(',').map(Number),
        spans,
        report: createReport(options.out),
      }
      await pause(2_000)
      for (const mode of modes) await MODES[mode]!(run)
    } finally {
      for (const pbx of pbxs.toReversed()) await pbx.close()
      await rtpengine?.close()
    }
  })
  if (modes.includes('profile'))
    for (const name of await readdir(profiles))
      process.stdout.write(`${name}: ${describeProfile(join(profiles, name), spans)}\n`)
} finally {
  await rm(scratch, { recursive: true, force: true })
}
process.exit()

/** It may have ended already. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {}
}

function stop(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}
