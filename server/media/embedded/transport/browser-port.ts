import type { Log } from '../../../platform/log.ts'
import { type Certificate, createCertificate } from '../../webrtc/certificate.ts'
import { createSharedPort, type SharedPort } from '../../webrtc/shared-port.ts'
import type { PortPool } from './ports.ts'

/** The port, one in each family, and the certificate for browsers, created for the first one. */
export function createBrowserPort(pool: PortPool, log: Log) {
  let opened: Promise<{ shared: SharedPort; certificate: Certificate }> | undefined

  async function start() {
    const certificate = await createCertificate()
    const opened = []
    for (const family of pool.families) {
      const { address, rtp, rtcp } = await pool.openPair(family)
      // Browsers multiplex RTP and RTCP on one port.
      rtcp.close()
      opened.push({ address, socket: rtp })
    }
    return { certificate, shared: createSharedPort(opened, log) }
  }

  return {
    open(): Promise<{ shared: SharedPort; certificate: Certificate }> {
      opened ??= start().catch((error: unknown) => {
        opened = undefined
        throw error
      })
      return opened
    },
    async close(): Promise<void> {
      const ended = opened
      opened = undefined
      await ended?.then(({ shared }) => shared.close())
    },
  }
}

export type BrowserPort = ReturnType<typeof createBrowserPort>
