import { derivedSecret } from '../platform/crypto/crypto.ts'
import type { Credentials, TrunkConfig } from '../sip/index.ts'

/** The carrier that is not there. Who calls as it proves a password, which follows from the installation's secret. */
export const SIMULATOR = 'simulator'

/** Ports that no real call uses, unless it is told to. */
export const SIMULATOR_PORTS = { from: 30_000, to: 31_999 }

const simulatorCredentials = (secret: string): Credentials => ({
  username: 'bellhop-simulator',
  password: derivedSecret(secret, 'simulated carrier').toString('hex'),
})

/** As the exchange sees it, or, the other way round, as it sees the exchange. */
export const simulatorTrunk = (
  secret: string,
  at: { host: string; port: number },
  protocol: TrunkConfig['protocol'] = 'udp',
): TrunkConfig => ({
  name: SIMULATOR,
  hosts: [at],
  protocol,
  addresses: [],
  inbound: simulatorCredentials(secret),
  credentials: simulatorCredentials(secret),
  probed: false,
  numberFormat: { style: 'e164' },
  codecs: ['PCMA', 'PCMU'],
})
