import { inBackground } from '../../platform/background.ts'
import type { Log } from '../../platform/log.ts'
import type { Law } from '../audio/g711.ts'
import {
  type LegCreated,
  type LegId,
  type LegStart,
  MediaFailed,
  type MediaPort,
  type SdpRefusal,
} from '../port.ts'
import type { OpusBand } from '../sdp/codecs.ts'
import type { Connections } from './connections.ts'
import type { Instances } from './control/instances.ts'
import { NgFailed } from './control/ng-client.ts'
import type { DirectConnections } from './direct-connections.ts'
import { createLegGroup, type LegGroup } from './leg-group.ts'
import { createRelayedLeg, type NegotiatedRelayedLeg, type RelayedLegStart } from './relayed-leg.ts'
import type { Uses } from './uses.ts'

interface RelayedLegsParts {
  log: Log
  embedded: MediaPort
  law: Law
  /** Whether Opus is offered to those who may have it. */
  isOpusOn: boolean
  instances: Instances
  legs: Map<LegId, NegotiatedRelayedLeg>
  groups: Map<LegId, LegGroup>
  connections: Connections
  uses: Uses
  direct: DirectConnections
  lose(group: LegGroup): void
}

/** How legs come and go, at rtpengine and in the embedded plane. */
export function createRelayedLegs({
  log,
  embedded,
  law,
  isOpusOn,
  instances,
  legs,
  groups,
  connections,
  uses,
  direct,
  lose,
}: RelayedLegsParts) {
  const removals = new Set<Promise<void>>()

  /** In the queue of the leg's group. A failure of rtpengine is one of the media. */
  async function negotiate<T>(leg: NegotiatedRelayedLeg, work: () => Promise<T>): Promise<T> {
    try {
      return await leg.group.run(async () => {
        const done = await work()
        // What was agreed holds even if the instance is silent; a call of which this is uncertain is moved later.
        await direct
          .update(leg.group)
          .catch((err: unknown) => log.warn({ err, leg: leg.id }, 'legs were not connected at rtpengine'))
        return done
      })
    } catch (error) {
      if (error instanceof NgFailed) throw new MediaFailed('no_ports', error.message)
      throw error
    }
  }

  /** A leg that talks to G.711 is asked for no more than that can carry. */
  function opusFor({ opus = false, isNarrowband, near }: LegStart): OpusBand | undefined {
    if (!opus || !isOpusOn) return undefined
    const other = near === undefined ? undefined : legs.get(near)?.session?.send.codec
    return (isNarrowband ?? (other && other !== 'opus')) ? 'narrow' : 'full'
  }

  async function begin(
    wanted: LegStart,
    start: Pick<RelayedLegStart, 'transport' | 'family'>,
  ): Promise<NegotiatedRelayedLeg> {
    const { encryption = 'if_offered', opus, isNarrowband, near } = wanted
    const inside = await embedded.createLeg({
      transport: 'rtp',
      ...(opus !== undefined && { opus }),
      ...(isNarrowband !== undefined && { isNarrowband }),
      ...(near !== undefined && { near }),
    })
    if (!inside.ok) throw new MediaFailed('no_ports', inside.why)
    const group = (near === undefined ? undefined : groups.get(near)) ?? createLegGroup(instances)
    const leg = createRelayedLeg(
      inside.leg,
      group,
      inside.sdp,
      { ...start, encryption, opusBand: opusFor(wanted) },
      {
        media: embedded,
        codecs: law === 'pcma' ? ['pcma', 'pcmu'] : ['pcmu', 'pcma'],
        lose,
        part: (each) => direct.part(each),
      },
    )
    legs.set(leg.id, leg)
    groups.set(leg.id, group)
    group.legs.add(leg)
    return leg
  }

  async function close(id: LegId): Promise<void> {
    const leg = legs.get(id)
    const release = uses.hold(id)
    try {
      const group = groups.get(id)
      await group
        ?.run(() => direct.update(group))
        .catch((err: unknown) => log.warn({ err, leg: id }, 'a leg was not separated'))
      connections.remove(id)
      await embedded.close(id)
    } finally {
      release()
      groups.delete(id)
      if (leg && legs.delete(id)) removeLater(leg)
    }
  }

  /** Nobody waits for its end at rtpengine. */
  function removeLater(leg: NegotiatedRelayedLeg): void {
    const { group } = leg
    group.legs.delete(leg)
    direct.forget(leg)
    const removal = group.run(async () => {
      if (!leg.end || !group.call) return
      group.call.instance.legs--
      await group.call.remove(leg.outside)
    })
    removals.add(removal)
    inBackground(
      log,
      'remove a leg from rtpengine',
      removal.finally(() => removals.delete(removal)),
    )
  }

  async function create(
    wanted: LegStart,
    start: Pick<RelayedLegStart, 'transport' | 'family'>,
    work: (leg: NegotiatedRelayedLeg) => Promise<{ ok: true; sdp?: string } | { ok: false; why: SdpRefusal }>,
  ): Promise<LegCreated> {
    const leg = await begin(wanted, start)
    try {
      const made = await negotiate(leg, () => work(leg))
      if (made.ok) return { ok: true, leg: leg.id, sdp: made.sdp! }
      await close(leg.id)
      return made
    } catch (error) {
      await close(leg.id)
      throw error
    }
  }

  return {
    negotiate,
    create,
    close,
    /** When nothing is left to remove at rtpengine. */
    removed: () => Promise.allSettled(removals),
  }
}
