const LIMITS = {
  lookMs: 2_000,
  /** Browsers check the connection every 2.5 seconds (RFC 7675): so long without an answer, something is wrong. */
  quietLooks: 3,
  /** The exchange gives a browser up after 30 seconds, and so do we. */
  deadLooks: 15,
}

interface SignListener {
  /** Told of a change, of a connection that was heard at first. */
  heard(isHeard: boolean): void
  /** At every look while nothing is heard. */
  stillQuiet(): void
  dead(): void
}

/**
 * Watches whether the exchange is still there, by the sound and by its answers to the browser's checks, which come also
 * while nobody says anything. Looks are counted, not seconds: a computer that slept has had none. The returned function
 * ends it.
 */
export function watchSigns(connection: RTCPeerConnection, listener: SignListener): () => void {
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
