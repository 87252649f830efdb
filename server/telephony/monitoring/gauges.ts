import { X509Certificate } from 'node:crypto'

import type { MediaPort } from '../../media/port.ts'
import { countCallsOfEdge } from '../../modules/calls/index.ts'
import type { Database } from '../../platform/db/database.ts'
import type { TrunkState } from '../../sip/index.ts'
import type { EdgeMetrics } from './metrics.ts'

interface GaugedParts {
  db: Database
  edgeId: string
  media: MediaPort
  /** Carriers only, without the other edges. */
  trunkStates(): TrunkState[]
  phones(): number
  subscriptions(): number
  blockedSources(): number
  /** The certificate of SIP over TLS, if there is one. */
  certificate: Buffer | undefined
}

/** What is read at each scrape: calls, phones, carriers and ports of this edge. */
export function gaugeEdge(metrics: EdgeMetrics, parts: GaugedParts): void {
  metrics.gauge(
    {
      name: 'bellhop_calls_live',
      help: 'Live calls of this edge, by direction and state.',
      labelNames: ['direction', 'state'],
    },
    async () =>
      (await countCallsOfEdge(parts.db.sql, parts.edgeId)).map(({ count, ...labels }) => ({
        labels,
        value: count,
      })),
  )
  metrics.gauge(
    { name: 'bellhop_phones_registered', help: 'Phones and browsers that are registered here.' },
    () => [{ value: parts.phones() }],
  )
  metrics.gauge({ name: 'bellhop_sip_subscriptions', help: 'Subscriptions of phones: their lamps.' }, () => [
    { value: parts.subscriptions() },
  ])
  metrics.gauge(
    { name: 'bellhop_trunks', help: 'Trunks with and without a host that responds.', labelNames: ['state'] },
    () =>
      tally(
        parts.trunkStates().map(({ hosts }) => (hosts.some(({ isUp }) => isUp) ? 'up' : 'down')),
        ['up', 'down'],
      ),
  )
  metrics.gauge(
    {
      name: 'bellhop_trunk_registrations',
      help: 'Registrations at carriers, by state.',
      labelNames: ['state'],
    },
    () =>
      tally(
        parts.trunkStates().flatMap(({ registration }) => registration?.in ?? []),
        ['registered', 'registering', 'failed'],
      ),
  )
  metrics.gauge(
    { name: 'bellhop_sip_blocked_sources', help: 'Sources that are ignored because they guessed passwords.' },
    () => [{ value: parts.blockedSources() }],
  )
  metrics.gauge(
    {
      name: 'bellhop_certificate_expiry_timestamp_seconds',
      help: 'When the certificate of SIP over TLS expires, in Unix time.',
    },
    () => (parts.certificate ? [{ value: expiryOf(parts.certificate) / 1_000 }] : []),
  )
  metrics.gauge(
    { name: 'bellhop_media_ports_in_use', help: 'UDP ports of MEDIA_PORTS in use.' },
    async () => [{ value: (await parts.media.portUsage()).inUse }],
  )
  metrics.gauge({ name: 'bellhop_media_ports', help: 'UDP ports of MEDIA_PORTS.' }, async () => [
    { value: (await parts.media.portUsage()).total },
  ])
}

const expiryOf = (certificate: Buffer) => Date.parse(new X509Certificate(certificate).validTo)

/** Also those states that nothing is in: an alert needs a zero. */
const tally = <State extends string>(found: State[], states: State[]) =>
  states.map((state) => ({ labels: { state }, value: found.filter((each) => each === state).length }))

/** Counts the packets of each leg when it ends. */
export function measureMedia(metrics: EdgeMetrics, media: MediaPort): () => void {
  return media.listen((event) => {
    if (event.on !== 'leg.closed') return
    const { receivedPackets, lostPackets, remoteLostPackets, jitterMs, ...opus } = event.statistics
    metrics.opusFrames.inc({ direction: 'decoded' }, opus.opusDecodedFrames)
    metrics.opusFrames.inc({ direction: 'encoded' }, opus.opusEncodedFrames)
    metrics.rtpReceived.inc(receivedPackets)
    metrics.rtpLost.inc({ direction: 'received' }, Math.max(0, lostPackets))
    metrics.rtpLost.inc({ direction: 'sent' }, Math.max(0, remoteLostPackets))
    // A leg without packets, such as a phone that was only rung, says nothing about the network.
    if (receivedPackets === 0) return
    metrics.rtpLossRatio.observe(Math.max(0, lostPackets) / (receivedPackets + Math.max(0, lostPackets)))
    metrics.rtpJitterSeconds.observe(jitterMs / 1_000)
  })
}
