import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Direction } from '../../../server/media/port.ts'
import { reversed } from '../../../server/media/sdp/direction.ts'
import {
  type Body,
  bodyText,
  type CallEvent,
  type IncomingCall,
  isSipUri,
  type RemoteOffer,
  sdpBody,
  type SipCall,
} from '../../../server/sip/index.ts'
import { digitInInfo } from '../../../server/telephony/call/info-digit.ts'
import { startAgent } from '../sip/agent.ts'
import { AsyncQueue } from '../sip/async-queue.ts'
import { openMediaPlane } from '../sound/media-plane.ts'

/** One participant's side of a call: its signalling and its media. */
interface Side {
  call: SipCall
  leg: string
}

/**
 * A minimal PBX: phones register, also over WebSockets at `/sip`, and call one another by
 * name. Hold and digits are passed on to the other leg.
 */
export async function openTestPbx(passwords: Record<string, string>) {
  const sound = openMediaPlane()
  const { media } = sound
  const changes = new AsyncQueue<Direction>()
  const { agent, ports, registrations } = await startAgent({
    passwords,
    onInvite: (call) => void connect(call),
  })
  const http = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A telephone</title>')
  })
  http.on('upgrade', (request, socket, head) => {
    if (request.url === '/sip') agent.upgrade(request, socket, head)
    else socket.destroy()
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')

  async function connect(incoming: IncomingCall): Promise<void> {
    const { uri, body } = incoming
    const [binding] = await agent.bindingsOf((isSipUri(uri) && uri.user) || '')
    if (!binding || !body) return incoming.reject(480)
    const caller = await media.createLeg({ offer: bodyText(body) })
    if (!caller.ok) return incoming.reject(488)
    const callee = await media.createLeg({ transport: binding.protocol === 'ws' ? 'webrtc' : 'rtp' })
    if (!callee.ok) return incoming.reject(500)
    const outgoing = agent.invite(
      { to: 'device', binding },
      { from: { ...incoming.from, params: new Map() }, body: sdpBody(callee.sdp) },
    )
    const near = { call: incoming, leg: caller.leg }
    const far = { call: outgoing, leg: callee.leg }
    follow(near, far)
    follow(far, near, {
      ringing: () => incoming.ring(),
      async answered(answer) {
        await media.setRemote(far.leg, { type: 'answer', sdp: bodyText(answer) })
        await media.bridge(near.leg, far.leg)
        incoming.accept(sdpBody(caller.sdp))
      },
    })
  }

  /** Passes on what one leg does to the other, in order. */
  function follow(
    side: Side,
    other: Side,
    beginning?: { ringing(): void; answered(answer: Body): Promise<void> },
  ): void {
    let done = Promise.resolve()
    side.call.listen((event) => (done = done.then(() => handle(event))))

    async function handle(event: CallEvent): Promise<void> {
      switch (event.type) {
        case 'ringing':
          return beginning?.ringing()
        case 'answered':
          return event.body ? beginning?.answered(event.body) : side.call.hangUp()
        case 'offer':
          return change(side, other, event.offer)
        case 'info':
          return press(side, other, event.body)
        case 'ended':
          other.call.hangUp()
          return media.close(side.leg)
      }
    }
  }

  /** Responds before passing it on, so that two legs that put each other on hold at once do not deadlock. */
  async function change(side: Side, other: Side, offer: RemoteOffer): Promise<void> {
    if (!offer.body) return offer.refuse(488)
    const set = await media.setRemote(side.leg, { type: 'offer', sdp: bodyText(offer.body) })
    if (!set.ok) return offer.refuse(488)
    offer.accept(sdpBody(set.sdp!))
    const asked = await media.hold(other.leg, reversed(set.direction))
    const outcome = await other.call.reinvite(sdpBody(asked))
    if (!outcome.ok || !outcome.body) return other.call.hangUp()
    await media.setRemote(other.leg, { type: 'answer', sdp: bodyText(outcome.body) })
    changes.put(reversed(set.direction))
  }

  /** A digit received by INFO is sent to the other leg as a telephone event. */
  async function press(side: Side, other: Side, body: Body): Promise<void> {
    const key = digitInInfo(body)
    if (key === undefined) return
    await media.pressed(side.leg, key)
    await media.sendDigits(other.leg, [key])
  }

  return {
    ...sound,
    ports,
    registrations,
    /** Waits until one leg has requested this and the other has accepted. */
    changed: (direction: Direction) => changes.take((each) => each === direction),
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      await agent.close()
      http.close()
      await sound.close()
    },
  }
}

export type TestPbx = Awaited<ReturnType<typeof openTestPbx>>
