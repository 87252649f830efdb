/** Below the ephemeral ports. */
const RANGE = { from: 20_000, portsOfWorker: 1_000, workers: 10 }

const place = Number(process.env.VITEST_POOL_ID ?? 0) % RANGE.workers
const from = RANGE.from + place * RANGE.portsOfWorker

/**
 * The ports for the media of calls. Each worker of the test runner has its own: a phone of another test that still sends
 * to a port that it knew would be taken for the peer of the next leg there, behind a NAT that changes ports.
 */
export const MEDIA_PORTS = { from, to: from + RANGE.portsOfWorker - 1 }

/** As a setting. */
export const MEDIA_PORTS_SETTING = `${MEDIA_PORTS.from}-${MEDIA_PORTS.to}`
