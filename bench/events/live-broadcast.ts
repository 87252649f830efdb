/**
 * Claim: publishing a change to a thousand connected clients costs little more than sending it. From the transaction
 * that publishes it (PostgreSQL notifies the process that has the clients) until the last client has received it,
 * Bellhop delivers at least 0.5 times as many messages a second as a bare loop over the sockets of `ws`, which sends
 * the same bytes, knows neither companies nor subscriptions, and buffers without limit for slow readers.
 */
import { messageFrame } from '../../server/api/live-channel/frames.ts'
import { publishToCompany } from '../../server/live.ts'
import { encodeId } from '../../server/platform/ids.ts'
import { withFixture } from '../fixture.ts'
import { type Bench, compare, TIMINGS } from '../measure.ts'
import { clientFrame, openSockets } from './live-sockets.ts'

const SOCKETS = 1_000
const IDENTIFIER = '{"channel":"CallsChannel"}'

export const liveBroadcast: Bench = {
  name: 'live-broadcast',
  run: () =>
    withFixture(async ({ db, companyId, apiKey, startBellhop, startBare }) => {
      const message = { type: 'call_update', id: companyId } as const
      const wireForm = JSON.stringify({ type: 'call_update', id: encodeId('cal', companyId) })
      const text = messageFrame(IDENTIFIER, wireForm)
      const ours = await openSockets({
        url: await startBellhop(),
        path: '/cable',
        headers: { 'X-Api-Key': apiKey },
        count: SOCKETS,
        greeting: clientFrame(JSON.stringify({ command: 'subscribe', identifier: IDENTIFIER })),
        ready: 'confirm_subscription',
        text,
      })
      const bare = await openSockets({
        url: await startBare('events/live-broadcast.bare.js'),
        path: '/',
        count: SOCKETS,
        ready: '\r\n\r\n',
        text,
      })
      const order = clientFrame(text)
      const comparison = await compare(
        ours.broadcasting(() => db.tx((tx) => publishToCompany(tx, companyId, message))),
        bare.broadcasting(([first]) => first!.write(order)),
        TIMINGS.brisk,
      )
      return [
        {
          what: `one change told to ${SOCKETS} clients, messages/s`,
          sides: ['Bellhop:', 'bare loop:'],
          goal: 0.5,
          ...comparison,
        },
      ]
    }),
}
