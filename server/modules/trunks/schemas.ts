import { z } from 'zod'

import { Timestamp } from '../../platform/schemas.ts'

const Host = z.object({
  address: z.string(),
  state: z.enum(['up', 'down', 'not_probed']).meta({ description: 'Whether it responds to OPTIONS.' }),
  checked_at: Timestamp.nullable(),
})

const Failure = z.object({
  at: Timestamp,
  of: z.enum(['options', 'registration', 'call']),
  status: z.int().nullable().meta({ description: 'The SIP status; null if there was no response.' }),
  address: z.string().nullable().meta({ description: 'The host that did not respond to OPTIONS.' }),
})

const TrunkAtEdge = z.object({
  edge: z.string().meta({ description: 'The address of the edge.' }),
  transport: z.enum(['udp', 'tcp', 'tls']).nullable(),
  hosts: z.array(Host),
  registration: z.enum(['none', 'registering', 'registered', 'failed']),
  registered_until: Timestamp.nullable(),
  calls: z.int().nullable().meta({ description: 'Calls over the trunk that have not ended.' }),
  last_failure: Failure.nullable().meta({ description: 'The most recent one, which may be over.' }),
})

/** A carrier as each running edge sees it; never its credentials. */
export const ListedTrunk = z.object({ name: z.string(), edges: z.array(TrunkAtEdge) }).meta({ id: 'Trunk' })
export type ListedTrunk = z.output<typeof ListedTrunk>

export const TrunkList = z.object({
  trunks: z.array(ListedTrunk),
  edges: z.int().meta({ description: 'Edges that answered.' }),
  silent_edges: z.int().meta({ description: 'Edges that should run and did not answer.' }),
})
export type TrunkList = z.output<typeof TrunkList>
