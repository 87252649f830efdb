import { sdpBody } from '../../../server/sip/index.ts'
import { startPhone } from '../sound/rtp-phone.ts'
import { follow, loopbackTrunk, startAgent } from './agent.ts'

/**
 * A phone that answers one call and keeps listening through hold, which baresip's recording does not. It has our user
 * agent, which registers as at a carrier, and the media of the harness.
 */
export async function startTonePhone(account: { user: string; password: string; port: number; hz: number }) {
  const { user, password, port, hz } = account
  const { agent, calls } = await startAgent({
    trunks: [
      loopbackTrunk('edge', port, {
        credentials: { username: user, password },
        registration: { user, domain: '127.0.0.1', seconds: 300 },
      }),
    ],
  })
  const phone = await startPhone()
  const own = (direction?: string) => sdpBody(phone.sdp(direction))

  /** Waits for a call and answers it. From then on it accepts every offer of the other side. */
  async function answer() {
    const call = await calls.take()
    const { next } = follow(call)
    phone.setRemote(call.body!.bytes.toString())
    call.accept(own())
    await next('connected')
    phone.say(hz)
    return {
      /** The direction of the next SDP offer from the edge. */
      async isAsked(): Promise<string> {
        const { offer } = await next('offer')
        const asked = /^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(offer.body!.bytes.toString())![1]!
        offer.accept(own(asked === 'sendonly' ? 'recvonly' : asked))
        return asked
      },
      async isOver(): Promise<void> {
        await next('ended')
      },
      async ask(direction: string): Promise<boolean> {
        return (await call.reinvite(own(direction))).ok
      },
    }
  }

  return {
    answer,
    hears: phone.hears,
    /** Waits until 400 ms of the audio received from now on are silent. */
    hearsNothing() {
      const from = phone.heard.length
      return phone.until('silence', () => phone.last(400, from)?.every((sample) => Math.abs(sample) < 100))
    },
    async stop(): Promise<void> {
      await agent.close()
      phone.close()
    },
  }
}
