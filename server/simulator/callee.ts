import type { MediaPort } from '../media/port.ts'
import { inBackground } from '../platform/background.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { type IncomingCall, isSipUri, sdpBody, UserAgent } from '../sip/index.ts'
import type { Synthesiser } from '../speech/port.ts'
import { simulatorTrunk } from './identity.ts'
import { SIMULATOR_LIMITS } from './limits.ts'
import { answerReinvite, withConnectionAddress } from './simulated-sdp.ts'

const GREETING =
  'Hello. This is the simulated carrier of Bellhop. Nobody real was called. ' +
  'You can talk to me for a minute, but I will not listen. Goodbye, and thank you for calling.'

/** The behaviour of a callee, by the last digits of the number. */
const BY_LAST_DIGITS: Record<string, Manner> = {
  '0001': 486,
  '0002': 'never answers',
  '0003': 603,
  '0004': 404,
  '0005': 'hangs up at once',
}

/** A number is the status of a refusal. */
type Manner = number | 'speaks' | 'never answers' | 'hangs up at once'

interface CalleeParts {
  clock: Clock
  log: Log
  secret: string
  media: MediaPort
  speaker: Synthesiser
  /** The address to which media is sent. */
  edgeHost: string
}

/** Simulates all callees for installations without a carrier: they behave by the last digits of their number. */
export async function startSimulatedCallee(parts: CalleeParts) {
  const { clock, log, secret, media, speaker, edgeHost } = parts
  let running = 0
  let spoken: Promise<Buffer> | undefined

  function receive(call: IncomingCall): void {
    if (running >= SIMULATOR_LIMITS.callsMax) return call.reject(503)
    running += 1
    const number = (isSipUri(call.uri) && call.uri.user) || ''
    const manner = BY_LAST_DIGITS[number.slice(-4)] ?? 'speaks'
    let leg: string | undefined
    const run = () => {
      take(call, manner, (id) => (leg = id)).catch((err: unknown) => {
        log.warn({ err }, 'the simulated carrier failed to handle a call')
        call.hangUp()
      })
    }
    const timers = [
      clock.after(SIMULATOR_LIMITS.ringMs, run),
      clock.after(SIMULATOR_LIMITS.ringMs + SIMULATOR_LIMITS.callMs, () => call.hangUp()),
    ]
    call.listen((event) => {
      if (event.type === 'offer' && leg)
        inBackground(log, 'answer an SDP offer', answerReinvite(media, leg, edgeHost, event.offer))
      if (event.type !== 'ended') return
      running -= 1
      for (const callOff of timers) callOff()
      if (leg) inBackground(log, 'end a leg', media.close(leg))
    })
    call.ring()
  }

  /** Synthesised once; a failure is not cached. */
  function greeting(): Promise<Buffer> {
    spoken ??= speaker.speak({ text: GREETING, language: 'en' }).catch((error: unknown) => {
      spoken = undefined
      throw error
    })
    return spoken
  }

  async function take(call: IncomingCall, manner: Manner, begin: (leg: string) => void): Promise<void> {
    if (manner === 'never answers') return
    if (typeof manner === 'number') return call.reject(manner)
    const created =
      call.body && (await media.createLeg({ offer: withConnectionAddress(edgeHost, call.body) }))
    if (!created?.ok) return call.reject(488)
    begin(created.leg)
    call.accept(sdpBody(created.sdp))
    if (manner === 'hangs up at once') return call.hangUp()
    const wav = await greeting()
    if (!call.isOver) await media.play(created.leg, { wav })
  }

  const ua = new UserAgent({
    clock,
    log,
    realm: 'bellhop',
    secret: Buffer.from(secret),
    accounts: { find: () => Promise.resolve(undefined) },
    trunks: [simulatorTrunk(secret, { host: '127.0.0.1', port: 1 })],
    onInvite: receive,
  })
  const [udp] = await ua.listen({ protocol: 'udp', host: '127.0.0.1', port: 0 })
  return { port: udp!.port, close: () => ua.close() }
}
