import { randomInt } from 'node:crypto'

import { createSdpNegotiation } from '../embedded/sdp-negotiation.ts'
import { type IpFamily, type LegId, MediaFailed, type MediaPort, type RemoteSet } from '../port.ts'
import type { Codec, OpusBand } from '../sdp/codecs.ts'
import type { NegotiatedAudio } from '../sdp/negotiate.ts'
import { parseSdp } from '../sdp/parse.ts'
import { refuseSdp } from '../sdp/refusal.ts'
import {
  chooseAudio,
  type EncryptionPolicy,
  familyOfAudio,
  type RemoteAudio,
  type Transport,
} from '../sdp/remote-audio.ts'
import type { Instance } from './control/instances.ts'
import { NgFailed } from './control/ng-client.ts'
import { describeRemote, withFormatsOf } from './control/relay-sdp.ts'
import type { LegGroup, RelayedLeg } from './leg-group.ts'

export interface RelayedLegStart {
  transport: Transport
  encryption: EncryptionPolicy
  family: IpFamily | undefined
  opusBand: OpusBand | undefined
}

export interface RelayedLegParts {
  media: Pick<MediaPort, 'hold' | 'setRemote'>
  codecs: readonly Codec[]
  /** Has all legs of the group ask for an address at another instance. */
  lose(group: LegGroup): void
  /** Before something changes that both legs of a direct connection must know. */
  part(leg: RelayedLeg): Promise<void>
}

/**
 * The SDP offers and answers of a leg. They are our own, as in the embedded plane; of rtpengine they have the address and
 * the keys. All methods run in the queue of the group.
 */
export function createRelayedLeg(
  id: LegId,
  group: LegGroup,
  insideSdp: string,
  start: RelayedLegStart,
  { media, codecs, lose, part }: RelayedLegParts,
) {
  const { encryption, opusBand } = start
  let family = start.family ?? 4
  let version = 0
  const leg: RelayedLeg = {
    id,
    group,
    transport: start.transport,
    outside: { tag: id },
    inside: { tag: `${id}-inside` },
    end: undefined,
    session: undefined,
    outsideSdp: undefined,
    insideSdp,
    peer: undefined,
    passed: { received: 0, sent: 0 },
    quietMs: -Infinity,
  }
  const negotiation = createSdpNegotiation(String(randomInt(2 ** 47)), start.transport, () => {
    const { address, port, rtcpPort, keys, identity } = leg.end!
    return {
      address,
      port,
      rtcpPort,
      keys,
      encryption,
      codecs: opusBand ? ['opus', ...codecs] : codecs,
      ...(opusBand && { opusBand }),
      ...(identity && { identity }),
    }
  })

  /** Ports at rtpengine, if there are none; on another instance, if this one does not reply. */
  async function allocate(): Promise<void> {
    const silent = new Set<Instance>()
    while (!leg.end) {
      const call = group.begin(silent)
      version++
      leg.outside = { tag: `${id}.${version}`, transport: leg.transport }
      leg.inside = { tag: `${id}.${version}-inside` }
      leg.outsideSdp = undefined
      try {
        leg.end = await call.allocate(leg.outside, leg.inside, {
          sdp: leg.insideSdp,
          transport: leg.transport,
          family,
        })
        call.instance.legs++
      } catch (error) {
        if (!(error instanceof NgFailed)) throw error
        if (error.why !== 'timeout') throw new MediaFailed('no_ports', error.message)
        silent.add(call.instance)
        if (group.call !== call) continue
        // If there is none, the others of the group stay where they are.
        group.chooseOther(silent)
        lose(group)
      }
    }
  }

  /** With other ports, or another transport. */
  async function allocateAnew(): Promise<void> {
    if (leg.end && group.call) {
      group.call.instance.legs--
      await part(leg)
      await group.call.remove(leg.outside)
    }
    leg.end = undefined
    await allocate()
  }

  /** Tells rtpengine, and this process, what was agreed. */
  async function agree(sdp: string, session: NegotiatedAudio): Promise<void> {
    leg.session = session
    const described = describeRemote(sdp, session, leg.end!)
    // Most later offers only show that the call is still there.
    if (described === leg.outsideSdp) return
    await part(leg)
    leg.outsideSdp = described
    // An answer leaves all codecs and telephone events of our offer in force: some browsers use others than agreed.
    const offered = await media.hold(id, 'sendrecv')
    const matching = withFormatsOf(described, offered)
    leg.insideSdp = matching ?? offered
    const call = group.begin()
    if (matching)
      await call.allocate(leg.outside, leg.inside, { sdp: matching, transport: leg.transport, family })
    const inward = await call.connect(leg.outside, described, leg.inside)
    const set = await media.setRemote(id, { type: 'answer', sdp: inward })
    if (!set.ok) throw new MediaFailed('leg_gone', `rtpengine described the leg ${id} wrongly: ${set.why}`)
  }

  /** A browser that restarts ICE gets new credentials. */
  async function meet({ identity }: RemoteAudio): Promise<void> {
    const known = leg.session?.remote.identity
    if (!known || known.ufrag === identity?.ufrag) return
    await part(leg)
    const { insideSdp: sdp, transport } = leg
    leg.end = await group
      .begin()
      .allocate(leg.outside, leg.inside, { sdp, transport, family, isRestart: true })
  }

  return Object.assign(leg, {
    async offer(direction?: Parameters<typeof negotiation.offer>[0]): Promise<string> {
      await allocate()
      return negotiation.offer(direction)
    },
    async offerAnew(wanted: Transport, wantedFamily?: IpFamily): Promise<string> {
      const isOther = wanted !== leg.transport || (wantedFamily && wantedFamily !== family)
      leg.transport = wanted
      family = wantedFamily ?? family
      if (isOther) await allocateAnew()
      else await allocate()
      return negotiation.offerAnew(wanted)
    },
    async answer(sdp: string): Promise<RemoteSet> {
      const parsed = parseSdp(sdp)
      if (!parsed.ok) return parsed
      const chosen = chooseAudio(parsed.description, encryption)
      if (!chosen.ok) return chosen
      const { audio } = chosen
      if ((audio.transport === 'webrtc') !== (leg.transport === 'webrtc')) return refuseSdp('protocol')
      const theirFamily = familyOfAudio(audio)
      const isOther = audio.transport !== leg.transport || (theirFamily && theirFamily !== family)
      leg.transport = audio.transport
      family = theirFamily ?? family
      if (isOther && leg.end) await allocateAnew()
      else await allocate()
      await meet(audio)
      const answered = negotiation.answer(parsed.description)
      if (!answered.ok) return answered
      await agree(sdp, answered.session)
      return { ok: true, direction: answered.session.direction, sdp: answered.sdp }
    },
    async accept(sdp: string): Promise<RemoteSet> {
      await allocate()
      const accepted = negotiation.accept(sdp)
      if (!accepted.ok) return accepted
      const { session } = accepted
      await agree(sdp, session)
      return { ok: true, direction: session.direction }
    },
  })
}

export type NegotiatedRelayedLeg = ReturnType<typeof createRelayedLeg>
