/**
 * The reference of inbound: SIP and media alone. Accepts each call of a carrier, rings the phones at the port in the
 * first argument, bridges the two when they answer, and hangs up one when the other does. Knows no company, no call
 * flow and no database.
 */
import { createEmbeddedMedia } from '../../server/media/embedded/plane.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { createLog } from '../../server/platform/log.ts'
import { type Body, bodyText, type IncomingCall, sdpBody } from '../../server/sip/index.ts'
import { CARRIER_HOST, lineTo, openAgent } from './phone-system.ts'

const PHONES = 'phones'
const media = createEmbeddedMedia({
  clock: systemClock,
  log: createLog({ level: 'warn' }),
  host: '127.0.0.1',
  ports: { from: 10_000, to: 19_999 },
  law: 'pcma',
})
const trunks = [
  { ...lineTo('carrier', 5060), addresses: [CARRIER_HOST] },
  lineTo(PHONES, Number(process.argv[2])),
]
const { agent, port } = await openAgent('127.0.0.1', trunks, (call) => void connect(call))

async function connect(caller: IncomingCall): Promise<void> {
  const heard = await media.createLeg({ offer: caller.body!.bytes.toString() })
  const said = await media.createLeg({ transport: 'rtp' })
  if (!heard.ok || !said.ok) throw new Error('no sound in common')
  caller.accept(sdpBody(heard.sdp))
  if (process.argv.includes('tone')) void media.play(heard.leg, { tone: 'ringback' })
  const callee = agent.invite(
    { to: 'trunk', trunk: PHONES, number: (caller.to.uri as { user: string }).user },
    { from: caller.from, body: sdpBody(said.sdp) },
  )
  callee.listen((event) => {
    if (event.type === 'answered') void join(event.body!)
    if (event.type === 'ended') {
      caller.hangUp()
      void media.close(said.leg)
    }
  })
  caller.listen((event) => {
    if (event.type !== 'ended') return
    callee.hangUp()
    void media.close(heard.leg)
  })
  const { leg } = said
  const other = heard.leg
  async function join(body: Body): Promise<void> {
    await media.setRemote(leg, { type: 'answer', sdp: bodyText(body) })
    await media.bridge(other, leg)
  }
}

process.on('message', (question) => {
  const { user, system } = process.cpuUsage()
  process.send!(question === 'cpu' ? (user + system) / 1_000 : port)
})
process.on('SIGTERM', () => process.exit())
