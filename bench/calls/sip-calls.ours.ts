/** One side of sip-calls: a user agent that answers every call of a carrier. Prints its port. */
import { systemClock } from '../../server/platform/clock.ts'
import { createLog } from '../../server/platform/log.ts'
import { sdpBody, UserAgent } from '../../server/sip/index.ts'

const agent = new UserAgent({
  clock: systemClock,
  log: createLog({ level: 'warn' }),
  realm: 'bench',
  secret: Buffer.from('bench'),
  accounts: { find: () => Promise.resolve(undefined) },
  trunks: [
    {
      name: 'sipp',
      hosts: [],
      protocol: 'udp',
      addresses: ['127.0.0.1'],
      probed: false,
      numberFormat: { style: 'e164' },
      codecs: [],
    },
  ],
  onInvite(call) {
    call.ring()
    call.accept(sdpBody(SDP))
  },
})

const SDP =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 8\r\n'

process.on('SIGTERM', () => void agent.close())
const [udp] = await agent.listen({ protocol: 'udp', host: '127.0.0.1', port: 0 })
process.stdout.write(`${udp!.port}\n`)
