export const ALL = ['{bin,server,test}/**/*.test.ts']

/** No PostgreSQL, no other process, and nothing that depends on the speed of the machine. */
export const UNIT = [
  'server/config.test.ts',
  'server/api/reply/byte-range.test.ts',
  'server/api/mcp/empty-answers.test.ts',
  'server/api/{mount,reply/json-stream}.test.ts',
  'server/media/frame-clock.test.ts',
  'server/media/{audio,rtp,sdp,srtp}/**/*.test.ts',
  'server/modules/devices/provisioning/formats.test.ts',
  'server/modules/numbers/hours/is-open.test.ts',
  'server/modules/webhooks/delivery/prefetch/pacing.test.ts',
  'server/platform/async/*.test.ts',
  'server/platform/{background,ids,crypto/key-ring,net/safe-agent,text/qr-code,text/sms-segments}.test.ts',
  'server/providers/{context,email,sms}/**/*.test.ts',
  'server/providers/storage/local.test.ts',
  'server/sip/{auth,message,transaction}/**/*.test.ts',
  'server/speech/openai/summariser.test.ts',
  'server/speech/{embedded/piper,summary}/**/*.test.ts',
  'test/architecture/**/*.test.ts',
  'test/{call-passage,contacts-csv,copy-hours,licences,limits,month,settings,translations}.test.ts',
  'test/softphone/{ringing,state}.test.ts',
]

/** Audio, browsers, phones, separate processes, speech engines: slow, and slower on a busy machine. */
export const INTEGRATION = [
  'bin/**/*.test.ts',
  'server/{embeddings,media,sip,speech,telephony}/**/*.test.ts',
  'server/modules/calls/search/search.test.ts',
  // Phones register at edges that they start.
  'server/modules/{devices/devices,edges/**/*}.test.ts',
  'server/modules/numbers/{flow/default-greeting,prompts/prompts,prompts/voice-previews}.test.ts',
  'server/modules/transcripts/**/*.test.ts',
  'server/platform/{embedded-postgres,engine}/**/*.test.ts',
  // Measures the delay of the event loop in real time.
  'server/platform/event-loop.test.ts',
  // Waits seconds for an unreachable database.
  'server/platform/jobs/worker.test.ts',
  'server/providers/storage/s3.test.ts',
  'test/{browser,calls,faults,live-calls,monitoring,operating,package,proxies,sip,softphone}/**/*.test.ts',
  'test/setup/shell-scripts.test.ts',
  'test/{key-rotation,s3,softphone-access,streaming,upgrade}.test.ts',
]
