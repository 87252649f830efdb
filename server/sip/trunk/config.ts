import type { DigestCredentials } from '../auth/digest.ts'
import type { NumberFormat } from './number-format.ts'

/** The configuration of a carrier. */
export interface TrunkConfig {
  name: string
  /** In the order to try them. Without a port, the name may have SRV records. */
  hosts: { host: string; port?: number }[]
  protocol: 'udp' | 'tcp' | 'tls'
  /** Addresses and networks (`192.0.2.0/24`) from which its calls come. */
  addresses: string[]
  /** Credentials that its calls must prove, if no address can be trusted. */
  inbound?: DigestCredentials
  /** Credentials that we prove to it. */
  credentials?: DigestCredentials
  /** For carriers at which we must register. */
  registration?: { user: string; domain: string; seconds: number }
  /** The domain in From; by default the first host. */
  domain?: string
  /** What is in From: the number that the call shows (the default), or our account at the carrier. */
  from?: 'number' | 'account'
  /** Which header field also has the number (RFC 3325), if any. */
  identity?: 'asserted' | 'preferred'
  /** Whether we probe its hosts with OPTIONS; some carriers do not want it. */
  probed: boolean
  numberFormat: NumberFormat
  /** In the order to offer them; used by call control, which knows media. */
  codecs: string[]
}
