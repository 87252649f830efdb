import { hash } from 'node:crypto'

import { derivedSecret } from '../../platform/crypto/crypto.ts'
import type { Credentials, TrunkConfig } from '../../sip/index.ts'

/** Edges are carriers to one another: each proves the same password, which follows from the installation's secret. */
export const PEER_EDGES = 'edges'

export const peerCredentials = (secret: string): Credentials => ({
  username: 'bellhop-edge',
  password: derivedSecret(secret, 'telephony between edges').toString('hex'),
})

export const peerTrunk = (secret: string): TrunkConfig => ({
  name: PEER_EDGES,
  hosts: [],
  protocol: 'udp',
  addresses: [],
  inbound: peerCredentials(secret),
  probed: false,
  numberFormat: { style: 'e164' },
  codecs: [],
})

/** How one edge names a device's line to the edge that has it: the key itself may be anything. */
export const lineName = (username: string, key: string) =>
  `${username}-${hash('sha256', key, 'hex').slice(0, 16)}`
