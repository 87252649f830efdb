import type { MessagePort } from 'node:worker_threads'

import type { Log } from '../../../platform/log.ts'
import { isRtcp, parseRtp } from '../../rtp/packet.ts'
import { DISCARD_PORT, type MakeTransport } from './linked-transports.ts'

/** A transport to the plane of another thread: what one end of the channel sends, the other receives. */
export const createThreadLink =
  (port: MessagePort, log: Log): MakeTransport =>
  (listener) => {
    port.on('message', ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>) => {
      const bytes = Buffer.from(buffer, byteOffset, byteLength)
      try {
        if (isRtcp(bytes)) listener.rtcp(bytes)
        else listener.rtp(parseRtp(bytes)!)
      } catch (err) {
        log.warn({ err }, 'handling a media packet failed')
      }
    })
    // A copy: a packet may lie in a larger buffer, and a message has the whole of it.
    const post = (packet: Buffer) => port.postMessage(new Uint8Array(packet))
    return {
      port: DISCARD_PORT,
      rtcpPort: DISCARD_PORT,
      refusedPackets: 0,
      apply() {},
      send: post,
      sendRtcp: post,
      close: () => port.close(),
    }
  }
