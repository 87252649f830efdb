import { z } from 'zod'

import {
  address,
  baseAddress,
  type Environment,
  list,
  PORT_DESCRIPTION,
  variables,
  wholeNumber,
} from './variables.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Log, metrics and traces. */
export const operations = variables({
  LOG_LEVEL: [z.enum(LOG_LEVELS).default('info'), `one of ${LOG_LEVELS.join(', ')}`],
  METRICS_TOKEN: [
    z
      .string()
      .regex(/^[!-~]{16,}$/)
      .optional(),
    'at least 16 letters, digits or symbols without spaces',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    baseAddress().optional(),
    'the http or https URL of a collector of OpenTelemetry',
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [
    address('http:', 'https:').optional(),
    'an http or https URL, to which traces are posted as it is',
  ],
  OTEL_EXPORTER_OTLP_PROTOCOL: [z.literal('http/json').default('http/json'), 'http/json'],
  OTEL_EXPORTER_OTLP_HEADERS: [
    list()
      .transform((pairs) => pairs.map(readHeader))
      .refine((pairs) => pairs.every((pair) => pair !== undefined))
      .transform((pairs) => Object.fromEntries(pairs as [string, string][]))
      .default({}),
    'headers in the form name=value, separated by commas, with percent encoding',
  ],
  OTEL_SERVICE_NAME: [z.string().default('bellhop'), 'a name'],
  OTEL_TRACES_SAMPLER_ARG: [
    z
      .string()
      .regex(/^(0|1|0?\.\d+|1\.0+)$/)
      .transform(Number)
      .default(1),
    'a number from 0 to 1',
  ],
  WORKER_HTTP_PORT: [wholeNumber(0, 65_535).optional(), PORT_DESCRIPTION],
})

/** As a header of HTTP; undefined if it is none. */
function readHeader(pair: string): [string, string] | undefined {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*)$/.exec(pair) ?? []
  if (name === undefined || value === undefined) return undefined
  try {
    const decoded = decodeURIComponent(value)
    return /^[\t -~]*$/.test(decoded) ? [name.toLowerCase(), decoded] : undefined
  } catch {
    return undefined
  }
}

export function readOperations(environment: Environment) {
  const given = operations.read(environment)
  const base = given.OTEL_EXPORTER_OTLP_ENDPOINT
  const url = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`)
  return {
    logLevel: given.LOG_LEVEL,
    metricsToken: given.METRICS_TOKEN,
    workerHttpPort: given.WORKER_HTTP_PORT,
    /** Undefined if no traces are sent. */
    tracing: url
      ? {
          url,
          headers: given.OTEL_EXPORTER_OTLP_HEADERS,
          serviceName: given.OTEL_SERVICE_NAME,
          ratio: given.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
  }
}
