import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

import { type Clock, systemClock } from '../clock.ts'
import type { Log } from '../log.ts'
import { createExporter } from './exporter.ts'
import { type Collector, sendToCollector } from './send-to-collector.ts'
import type { Tracer } from './span.ts'
import { createTracer } from './tracer.ts'

export interface TracingOptions extends Collector {
  serviceName: string
  /** The share of traces that is recorded, from 0 to 1. */
  ratio: number
}

interface TracingParts {
  version: string
  log: Log
  clock?: Clock
}

/** Records traces, and sends them to a collector. Only a process that does so loads this. */
export function startTracing(
  { serviceName, ratio, ...collector }: TracingOptions,
  { version, log, clock = systemClock }: TracingParts,
): { tracer: Tracer; stop(): Promise<void> } {
  const resource = {
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'process.pid': process.pid,
  }
  const send = sendToCollector(collector, { resource, version }, clock)
  const exporter = createExporter({ clock, log, send })
  return { tracer: createTracer({ clock, ratio, onEnd: exporter.add }), stop: exporter.stop }
}
