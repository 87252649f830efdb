import { Counter, Gauge, Histogram, Registry } from 'prom-client'

import type { Clock } from '../../platform/clock.ts'

export type EdgeMetrics = ReturnType<typeof createEdgeMetrics>

/**
 * The metrics of an edge. Values of labels come from lists in this program and from SIP: names, numbers and addresses
 * would make as many time series as there are people.
 */
export function createEdgeMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const callsRefused = new Counter({
    name: 'bellhop_calls_refused_total',
    help: 'Calls that were refused before they had a row in the database, by direction and SIP status.',
    labelNames: ['direction', 'status'],
    registers,
  })
  const callsEnded = new Counter({
    name: 'bellhop_calls_ended_total',
    help: 'Calls that have ended, by direction, whether anybody answered, and how they ended.',
    labelNames: ['direction', 'answered', 'outcome'],
    registers,
  })
  // Prometheus sees no increase in a series that begins with its first call, and there would be no alert of it.
  for (const status of ['500', '503']) callsRefused.inc({ direction: 'inbound', status }, 0)
  for (const direction of ['inbound', 'outbound'])
    for (const answered of ['true', 'false']) callsEnded.inc({ direction, answered, outcome: 'failed' }, 0)
  return {
    registry,
    callsRefused,
    callsEnded,
    callsHeld: new Counter({
      name: 'bellhop_calls_held_total',
      help: 'Inbound calls that waited, or were refused, because their company floods the edge.',
      registers,
    }),
    setUpSeconds: new Histogram({
      name: 'bellhop_call_setup_seconds',
      help: 'Inbound: until the call is answered by its call flow. Outbound: until the carrier reports ringing or an answer.',
      labelNames: ['direction'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30],
      registers,
    }),
    carrierRefusals: new Counter({
      name: 'bellhop_carrier_refusals_total',
      help: 'Outbound calls that a carrier or the callee did not take, by SIP status; none if there was no response.',
      labelNames: ['status'],
      registers,
    }),
    queueWaitSeconds: new Histogram({
      name: 'bellhop_queue_wait_seconds',
      help: 'How long callers waited in the queue, by how the wait ended.',
      labelNames: ['outcome'],
      buckets: [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800],
      registers,
    }),
    queueLength: new Gauge({
      name: 'bellhop_queue_length',
      help: 'Callers who wait in a queue at this edge.',
      registers,
    }),
    sipRefusals: new Counter({
      name: 'bellhop_sip_refusals_total',
      help: 'SIP requests and sources that were refused before a call began, by reason.',
      labelNames: ['why'],
      registers,
    }),
    rtpReceived: new Counter({
      name: 'bellhop_rtp_received_packets_total',
      help: 'RTP packets received, of legs that have ended.',
      registers,
    }),
    rtpLost: new Counter({
      name: 'bellhop_rtp_lost_packets_total',
      help: 'RTP packets lost, of legs that have ended: on the way to us, and as the other side reports of ours.',
      labelNames: ['direction'],
      registers,
    }),
    rtpLossRatio: new Histogram({
      name: 'bellhop_rtp_loss_ratio',
      help: 'The share of RTP packets that were lost on the way to us, of each leg that has ended.',
      buckets: [0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5],
      registers,
    }),
    rtpJitterSeconds: new Histogram({
      name: 'bellhop_rtp_jitter_seconds',
      help: 'The interarrival jitter (RFC 3550) of each leg that has ended.',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2],
      registers,
    }),
    opusFrames: new Counter({
      name: 'bellhop_opus_frames_total',
      help: 'Frames of Opus, of 20 ms each, that were decoded or encoded, of legs that have ended.',
      labelNames: ['direction'],
      registers,
    }),
    /** A value that is read at each scrape; nothing is reported if it cannot be read. */
    gauge<Label extends string>(
      about: { name: string; help: string; labelNames?: Label[] },
      read: () => GaugeValue<Label>[] | Promise<GaugeValue<Label>[]>,
    ): void {
      const gauge: Gauge<Label> = new Gauge<Label>({
        ...about,
        registers,
        async collect() {
          this.reset()
          const values = await Promise.resolve()
            .then(read)
            // Without the database; its own metrics report that.
            .catch(() => [])
          for (const { labels, value } of values) this.set(labels ?? {}, value)
        },
      })
      gauge.reset()
    },
  }
}

export const secondsSince = ({ realTime }: { realTime: Clock }, begin: Date) =>
  (realTime.now().getTime() - begin.getTime()) / 1_000

export interface GaugeValue<Label extends string> {
  labels?: Record<Label, string>
  value: number
}
