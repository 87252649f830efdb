const LIMITS = {
  lookMs: 2_000,
  /** Browsers check ICE consent every 2.5 seconds (RFC 7675): after this many missed checks, something is wrong. */
  quietLooks: 3,
  /** The edge ends a leg after 30 seconds without a browser, and so do we. */
  deadLooks: 15,
}

interface SignListener {
  /** Called when the connection is lost or returns. */
  heard(isHeard: boolean): void
  /** Called at every check while nothing arrives. */
  stillQuiet(): void
  dead(): void
}

/**
 * Watches whether the edge is still there, by the media and by its responses to ICE checks, which also come during
 * silence. Counts checks, not seconds, because a computer that slept had none. Returns a function that stops it.
 */
export function monitorConnection(connection: RTCPeerConnection, listener: SignListener): () => void {
  let last = 0
  let quiet = 0

  async function look(): Promise<void> {
    const signs = await countSigns(connection)
    const wasQuiet = quiet >= LIMITS.quietLooks
    quiet = signs > last ? 0 : quiet + 1
    last = signs
    const isQuiet = quiet >= LIMITS.quietLooks
    if (isQuiet !== wasQuiet) listener.heard(!isQuiet)
    if (quiet >= LIMITS.deadLooks) listener.dead()
    else if (isQuiet) listener.stillQuiet()
  }

  // A connection that is just closing has no statistics; the next look tells.
  const timer = setInterval(() => void look().catch(() => {}), LIMITS.lookMs)
  return () => clearInterval(timer)
}

async function countSigns(connection: RTCPeerConnection): Promise<number> {
  let signs = 0
  const reports = await connection.getStats()
  reports.forEach((report: { packetsReceived?: number; responsesReceived?: number; type: string }) => {
    if (report.type === 'inbound-rtp') signs += report.packetsReceived ?? 0
    if (report.type === 'candidate-pair') signs += report.responsesReceived ?? 0
  })
  return signs
}
