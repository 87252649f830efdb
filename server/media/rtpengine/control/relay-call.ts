import { randomUUID } from 'node:crypto'

import type { IpFamily } from '../../port.ts'
import type { Transport } from '../../sdp/remote-audio.ts'
import type { Instance } from './instances.ts'
import { NgFailed, type NgReply } from './ng-client.ts'
import { OFFER_FLAGS, RTP_PROFILE, readRelayEnd, type RelayEnd } from './relay-sdp.ts'

/** One side of a call at rtpengine: a leg, or the media of this process. */
export interface CallSide {
  tag: string
  /** Of a participant. */
  transport?: Transport
}

/** A call at an instance of rtpengine. Each of its sides is connected with one other. */
export function createRelayCall(instance: Instance) {
  const callId = randomUUID()
  let isUncertain = false

  async function change(command: string, more: Record<string, unknown>): Promise<NgReply> {
    try {
      return await instance.request(command, { 'call-id': callId, ...more })
    } catch (error) {
      if (error instanceof NgFailed && error.why === 'timeout') isUncertain = true
      throw error
    }
  }

  /** Connects both sides, and says what the first has agreed to. Returns what rtpengine would tell the second. */
  async function connect(described: CallSide, sdp: string, other: CallSide): Promise<string> {
    // Not an offer and an answer: an offer to a side with SDES would replace its key by the key of the other one.
    const reply = await change('answer', {
      'from-tag': other.tag,
      'to-tag': described.tag,
      sdp,
      // Plain RTP must come from one address, once that is known.
      flags: ['port-latching', ...(described.transport === 'rtp' ? ['strict-source'] : [])],
      ICE: other.transport === 'webrtc' ? 'force' : 'remove',
      'endpoint-learning': 'heuristic',
    })
    return String(reply.sdp)
  }

  return {
    instance,
    /** A change was not confirmed: it may or may not have happened. */
    isUncertain: () => isUncertain,
    /** Opens ports for a new leg, which is connected with the media of this process. */
    async allocate(
      { tag }: CallSide,
      { tag: inside }: CallSide,
      { sdp, transport, family, isRestart = false }: AllocateOptions,
    ): Promise<RelayEnd> {
      const { interfaces } = instance.address
      const offer = {
        'from-tag': inside,
        'to-tag': tag,
        sdp,
        'transport-protocol': RTP_PROFILE[transport],
        ...OFFER_FLAGS[transport],
        flags: ['port-latching', ...(isRestart ? ['reset'] : [])],
        ...(interfaces && { direction: [interfaces.inside, interfaces.outside] }),
      }
      const request = (more: object) => change('offer', { ...offer, ...more })
      const reply = family
        ? await request({ 'address-family': `IP${family}` }).catch((error: unknown) => {
            // It has no address of that family.
            if (error instanceof NgFailed && error.why === 'refused') return request({})
            throw error
          })
        : await request({})
      return readRelayEnd(String(reply.sdp), transport)
    },
    connect,
    /** Nothing reaches the second side any more, from whomever. */
    async disconnect({ tag: from }: CallSide, { tag: to }: CallSide): Promise<void> {
      await change('unsubscribe', { 'from-tag': from, 'to-tag': to })
    },
    async remove({ tag }: CallSide): Promise<void> {
      await change('delete', { 'from-tag': tag, 'delete-delay': 0 })
    },
    async end(): Promise<void> {
      await change('delete', { 'delete-delay': 0 })
    },
    /** What arrived from each side; undefined if rtpengine does not know the call. */
    async arrivals(): Promise<Map<string, Arrival> | undefined> {
      try {
        return readArrivals(await instance.request('query', { 'call-id': callId }))
      } catch (error) {
        if (error instanceof NgFailed && error.why === 'refused') return undefined
        throw error
      }
    },
  }
}

interface AllocateOptions {
  /** Of this process. */
  sdp: string
  transport: Transport
  family?: IpFamily | undefined
  /** With new ICE credentials. */
  isRestart?: boolean
}

export type RelayCall = ReturnType<typeof createRelayCall>

interface Arrival {
  packets: number
  /** By the clock of rtpengine. */
  lastSecond: number
}

interface QueryReply {
  tags?: Record<
    string,
    { medias?: { streams?: { 'last packet'?: number; stats?: { packets?: number } }[] }[] } | undefined
  >
}

function readArrivals({ tags = {} }: QueryReply): Map<string, Arrival> {
  return new Map(
    Object.entries(tags).map(([tag, side]) => {
      const streams = side?.medias?.[0]?.streams ?? []
      return [
        tag,
        {
          packets: streams[0]?.stats?.packets ?? 0,
          lastSecond: Math.max(0, ...streams.map((stream) => stream['last packet'] ?? 0)),
        },
      ]
    }),
  )
}
