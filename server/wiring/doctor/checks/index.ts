import type { Check } from '../check.ts'
import { baseUrl } from './base-url.ts'
import { clock } from './clock.ts'
import { database } from './database.ts'
import { diskSpace } from './disk-space.ts'
import { email } from './email.ts'
import { mediaPorts } from './media-ports.ts'
import { node } from './node.ts'
import { ports } from './ports.ts'
import { queues } from './queues.ts'
import { secretsCheck } from './secrets.ts'
import { speechServices } from './speech-services.ts'
import { speech } from './speech.ts'
import { storageCheck } from './storage.ts'
import { trunks } from './trunks.ts'
import { websockets } from './websockets.ts'

/** In the order of the report. */
export const CHECKS: Check[] = [
  node,
  database,
  clock,
  secretsCheck,
  queues,
  ports,
  mediaPorts,
  baseUrl,
  websockets,
  email,
  storageCheck,
  diskSpace,
  speech,
  speechServices,
  trunks,
]
