import { z } from 'zod'

import { type Environment, PORT_DESCRIPTION, variables, wholeNumber } from './variables.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Log and metrics. */
export const operations = variables({
  LOG_LEVEL: [z.enum(LOG_LEVELS).default('info'), `one of ${LOG_LEVELS.join(', ')}`],
  METRICS_TOKEN: [
    z
      .string()
      .regex(/^[!-~]{16,}$/)
      .optional(),
    'at least 16 letters, digits or symbols without spaces',
  ],
  WORKER_HTTP_PORT: [wholeNumber(0, 65_535).optional(), PORT_DESCRIPTION],
})

export function readOperations(environment: Environment) {
  const given = operations.read(environment)
  return {
    logLevel: given.LOG_LEVEL,
    metricsToken: given.METRICS_TOKEN,
    workerHttpPort: given.WORKER_HTTP_PORT,
  }
}
