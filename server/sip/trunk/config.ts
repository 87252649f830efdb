import type { Credentials } from '../auth/digest.ts'
import type { NumberFormat } from './number-format.ts'

/** A carrier, as it is configured. */
export interface TrunkConfig {
  name: string
  /** In the order in which we try them. Without a port, the name may stand for a list of servers (SRV). */
  hosts: { host: string; port?: number }[]
  protocol: 'udp' | 'tcp' | 'tls'
  /** Where its calls come from, as addresses and networks (`192.0.2.0/24`). */
  addresses: string[]
  /** What its calls must prove to us, where no address can be trusted. */
  inbound?: Credentials
  /** What we prove to it. */
  credentials?: Credentials
  /** Where we announce ourselves, for carriers that want it. */
  registration?: { user: string; domain: string; seconds: number }
  /** Our name in From; the first host where it is left out. */
  domain?: string
  /** Whether we ask its hosts by OPTIONS if they are there; some carriers do not like it. */
  probed: boolean
  numberFormat: NumberFormat
  /** In the order in which they are offered; for call control, which knows media. */
  codecs: string[]
}
