/**
 * The media of an edge alone in a process, on its thread: calls of the ports in the first argument, each bridged with the
 * next. Unless the second argument is `g711`, the second of each two has Opus.
 */
import { availableParallelism } from 'node:os'

import { startMediaThreads } from '../../server/media/thread/media-threads.ts'
import { createLog } from '../../server/platform/log.ts'

const media = await startMediaThreads({
  threads: availableParallelism(),
  log: createLog({ level: 'warn' }),
  host: '127.0.0.1',
  ports: { from: 10_000, to: 19_999 },
  law: 'pcma',
})
const ports = JSON.parse(process.argv[2]!) as number[]
const legs: { leg: string; port: number }[] = []
for (const [i, port] of ports.entries()) {
  const opus = process.argv[3]?.startsWith('opus') === true && i % 2 === 1
  const format = opus ? '111\na=rtpmap:111 opus/48000/2\na=fmtp:111 useinbandfec=1' : '8'
  const offer = `v=0\no=- 1 1 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nm=audio ${port} RTP/AVP ${format}\n`
  const created = await media.createLeg({ offer, opus, ...(i % 2 === 1 && { near: legs[i - 1]!.leg }) })
  if (!created.ok) throw new Error(created.why)
  legs.push({ leg: created.leg, port: Number(/^m=audio (\d+)/m.exec(created.sdp)![1]) })
}
for (let i = 0; i < legs.length; i += 2) await media.bridge(legs[i]!.leg, legs[i + 1]!.leg)

process.on('message', (question) => {
  const { user, system } = process.cpuUsage()
  process.send!(question === 'cpu' ? (user + system) / 1_000 : legs.map(({ port }) => port))
})
process.on('SIGTERM', () => process.exit())
