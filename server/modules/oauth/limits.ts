const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const LIMITS = {
  codeMs: 10 * MINUTE_MS,
  accessTokenMs: HOUR_MS,
  refreshTokenMs: 30 * DAY_MS,

  /** What arrives within this time of a first use was sent without knowing its answer, which is held back so long. */
  togetherMs: 250,

  redirectUris: 20,
  redirectUriCharacters: 2_000,
  clientNameCharacters: 128,

  /** Room for all the addresses that a client may have, and much that we ignore. */
  registrationBytes: 64 * 1024,
  /** Of one address, over the time before. Generous: behind a proxy many share one. */
  registrations: 100,
  registrationsMs: 10 * MINUTE_MS,
  /** A registration that nobody agreed to in this time is removed. */
  unusedClientMs: 7 * DAY_MS,

  /** Of the documents in which applications describe themselves. */
  documentBytes: 64 * 1024,
  documentMs: 5 * SECOND_MS,
  documentFreshMs: 5 * MINUTE_MS,
  /** How long a copy counts while the document cannot be had. */
  documentKeptMs: 7 * DAY_MS,
  documentConnections: 2,
  /** Under way at once, of applications that nobody has agreed to. */
  documentFetches: 500,
  /** How many are fetched in a time: of a host, for those of one network, and of an application that is in use. */
  documents: 60,
  documentsOfNetwork: 300,
  documentsOfClient: 6,
  documentsMs: MINUTE_MS,
  /** Hosts, networks and applications of which this is counted. */
  countedKeys: 10_000,
}

/** The one scope there is. `web` stands for our own pages, which have sessions, and is granted to nobody. */
export const SCOPE = 'api'
