import { z } from 'zod'

import { ADDRESS_CHARACTERS_MAX } from '../port.ts'

const Address = z.string().trim().min(1).max(ADDRESS_CHARACTERS_MAX)
const Id = z.string().min(1).max(128)
const Time = z.iso.datetime({ offset: true })

/** The request to the simulated provider. */
export const SimulatedSend = z.object({ from: Address, to: Address, text: z.string(), status_url: z.url() })
export type SimulatedSend = z.output<typeof SimulatedSend>

/** Its callbacks. */
export const SimulatedCallback = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message.received'),
    id: Id,
    from: Address,
    to: Address,
    text: z.string(),
    received_at: Time,
  }),
  z.object({
    type: z.literal('message.report'),
    id: Id,
    from: Address,
    to: Address,
    status: z.enum(['accepted', 'delivered', 'failed', 'unknown']),
    error_code: z.int().min(0).nullable(),
    at: Time,
  }),
])
export type SimulatedCallback = z.output<typeof SimulatedCallback>
