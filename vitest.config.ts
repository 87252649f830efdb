import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

const ALL = ['{bin,server,test}/**/*.test.ts']

/** Neither PostgreSQL nor another process, and nothing that a busy machine could bring too late. */
const PURE = [
  'server/config.test.ts',
  'server/api/reply/byte-range.test.ts',
  'server/api/mcp/empty-answers.test.ts',
  'server/media/frame-clock.test.ts',
  'server/media/{audio,rtp,sdp,srtp}/**/*.test.ts',
  'server/modules/numbers/hours/is-open.test.ts',
  'server/platform/{background,ids,lazy,crypto/key-ring,net/safe-agent,text/qr-code,text/sms-segments}.test.ts',
  'server/providers/{context,email,sms}/**/*.test.ts',
  'server/providers/storage/local.test.ts',
  'server/sip/{auth,message,transaction}/**/*.test.ts',
  'server/speech/openai/summariser.test.ts',
  'server/speech/{embedded/piper,summary}/**/*.test.ts',
  'test/architecture/**/*.test.ts',
  'test/{call-passage,contacts-csv,licences,limits,translations}.test.ts',
  'test/softphone/state.test.ts',
]

/** Sound, browsers, phones, whole programs, engines of speech: what a busy machine may bring too late. */
const LANES = [
  'bin/**/*.test.ts',
  'server/{embeddings,media,sip,speech,telephony}/**/*.test.ts',
  'server/modules/calls/search/search.test.ts',
  'server/modules/numbers/{flow/default-greeting,prompts/prompts,prompts/voice-previews}.test.ts',
  'server/modules/transcripts/**/*.test.ts',
  'server/platform/embedded-postgres/**/*.test.ts',
  // The delay of the event loop, by the clock.
  'server/platform/event-loop.test.ts',
  // Seconds of waiting for a database that is away.
  'server/platform/jobs/worker.test.ts',
  'server/providers/storage/s3.test.ts',
  'test/{browser,calls,faults,live-calls,sip,softphone}/**/*.test.ts',
  'test/{key-rotation,s3,streaming,upgrade}.test.ts',
]

const patience = {
  // Tests wait for states, each with a patience of its own: these only end what hangs, on the slowest machine too.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  setupFiles: 'test/harness/setup-file.ts',
}

/** Files share a worker and what it has loaded: modules take longer to load than most files to run. */
const shared = { isolate: false, maxWorkers: availableParallelism() }

/** Tests that wait for phones, browsers and other processes leave a core idle half of the time. */
const waiting = { ...shared, maxWorkers: Math.ceil(availableParallelism() * 1.5) }

const withPostgres = { globalSetup: 'test/harness/global-setup.ts' }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...patience,
          ...shared,
          name: 'pure',
          include: PURE,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...patience,
          ...waiting,
          ...withPostgres,
          name: 'records',
          include: ALL,
          exclude: [...PURE, ...LANES],
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...patience,
          ...waiting,
          ...withPostgres,
          name: 'lanes',
          include: LANES,
          exclude: PURE,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
