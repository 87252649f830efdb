import { hash } from 'node:crypto'

import { derivedSecret } from '../../platform/crypto/crypto.ts'
import type { DigestCredentials, IncomingCall, TrunkConfig } from '../../sip/index.ts'

/** Edges are trunks to one another. All use one password, derived from the installation's secret. */
export const PEER_EDGES = 'edges'

export const peerCredentials = (secret: string): DigestCredentials => ({
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

/** RFC 5626 §11.1, Flow Failed: the connection to the phone is gone, and the phone may be back soon. */
export const FLOW_FAILED = 430

export const isOfPeerEdge = ({ peer }: IncomingCall) => peer.kind === 'trunk' && peer.trunk === PEER_EDGES

/** Names the device that dialled a code, in a call from the edge at which it did. */
export const DIALLED_BY = 'x-bellhop-device'

/** Whether another edge passes on a phone that dialled a code, because the call that it is about is here. */
export const isPassedOn = (call: IncomingCall) =>
  isOfPeerEdge(call) && call.request.headers.get(DIALLED_BY) !== undefined

/** How an edge names a device's binding to the edge that has it. Hashed, because the key may contain any character. */
export const bindingName = (username: string, key: string) =>
  `${username}-${hash('sha256', key, 'hex').slice(0, 16)}`
