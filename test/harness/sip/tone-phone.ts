import { sdpBody } from '../../../server/sip/index.ts'
import { startPhone } from '../sound/rtp-phone.ts'
import { follow, loopbackTrunk, startAgent } from './agent.ts'

/**
 * A phone that takes one call and keeps listening through hold, as baresip's record of what it hears does not: our
 * signalling, which registers as with a carrier, and the sound of the harness.
 */
export async function startTonePhone(account: { user: string; password: string; port: number; hz: number }) {
  const { user, password, port, hz } = account
  const { agent, calls } = await startAgent({
    trunks: [
      loopbackTrunk('exchange', port, {
        credentials: { username: user, password },
        registration: { user, domain: '127.0.0.1', seconds: 300 },
      }),
    ],
  })
  const phone = await startPhone()
  const own = (direction?: string) => sdpBody(phone.sdp(direction))

  /** Waits for a call and takes it; from then on it agrees to whatever the other side asks for. */
  async function answer() {
    const call = await calls.take()
    const { next } = follow(call)
    phone.setRemote(call.body!.bytes.toString())
    call.accept(own())
    await next('connected')
    phone.say(hz)
    return {
      /** The direction that the exchange asks for next. */
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
    /** Waits until 400 ms of what comes from now on are silent. */
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
