import type { Suite } from '../sdp/sdes.ts'
import { createSrtcpReceiver, createSrtcpSender } from './srtcp.ts'
import { createSrtpReceiver, createSrtpSender } from './srtp.ts'

/** SRTP and SRTCP in both directions, once both sides' keys are known. Our own packets have no MKI. */
export function createSrtpContext(suite: Suite, ours: Buffer, theirs: Buffer, mkiBytes = 0) {
  const [sender, receiver] = [createSrtpSender(suite, ours), createSrtpReceiver(suite, theirs, mkiBytes)]
  const [rtcpSender, rtcpReceiver] = [createSrtcpSender(ours), createSrtcpReceiver(theirs, mkiBytes)]
  return {
    seal: sender.protect,
    open: receiver.unprotect,
    sealRtcp: rtcpSender.protect,
    openRtcp: rtcpReceiver.unprotect,
    /** Whether it uses this key of the other side: the same key must not restart the packet index. */
    isFor: (key: Buffer): boolean => key.equals(theirs),
  }
}

export type SrtpContext = ReturnType<typeof createSrtpContext>
