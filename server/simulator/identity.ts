import { derivedSecret } from '../platform/crypto/crypto.ts'
import type { DigestCredentials, TrunkConfig } from '../sip/index.ts'

/** The simulated carrier. It authenticates with a password that is derived from the installation's secret. */
export const SIMULATOR = 'simulator'

/** Ports that real calls do not use by default. */
export const SIMULATOR_PORTS = { from: 30_000, to: 31_999 }

const simulatorCredentials = (secret: string): DigestCredentials => ({
  username: 'bellhop-simulator',
  password: derivedSecret(secret, 'simulated carrier').toString('hex'),
})

/** The simulator as a trunk of Bellhop or, the other way round, Bellhop as a trunk of the simulator. */
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
