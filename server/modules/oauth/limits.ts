const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The limits of OAuth. */
export const OAUTH_LIMITS = {
  /** How long an authorization code can be redeemed. */
  codeMs: 10 * MINUTE_MS,
  /** How long an access token lasts. */
  accessTokenMs: HOUR_MS,
  /** How long a refresh token lasts. */
  refreshTokenMs: 30 * DAY_MS,
  /** Uses within this time of the first are concurrent: the response to the first is delayed by as much. */
  togetherMs: 250,
  /**
   * How long an access token is cached: a revoked token must stop working in every process within a second, even if
   * the notification from the database is lost.
   */
  rememberMs: 800,
  /** Access tokens that a process caches. */
  tokens: 10_000,
  /** A longer token is rejected without a look-up in the database. */
  tokenCharacters: 128,
  /** The precision of a grant's last use. */
  lastUseMs: 60_000,
  /** Redirect URIs of a client. */
  redirectUris: 20,
  /** A redirect URI. */
  redirectUriCharacters: 2_000,
  /** The name of a client. */
  clientNameCharacters: 128,
  /** The body of a client registration: room for all redirect URIs, and for metadata that we ignore. */
  registrationBytes: 64 * 1024,
  /** Client registrations from one address in a window. Generous, because many share an address behind a proxy. */
  registrations: 100,
  /** The window in which they are counted. */
  registrationsMs: 10 * MINUTE_MS,
  /** A registered client without any consent is removed after this long. */
  unusedClientMs: 7 * DAY_MS,
  /** A client ID metadata document. */
  documentBytes: 64 * 1024,
  /** Time to fetch a document. */
  documentMs: 5 * SECOND_MS,
  /** How long a document is cached before it is fetched again. */
  documentFreshMs: 5 * MINUTE_MS,
  /** How long a cached document remains valid while it cannot be fetched. */
  documentKeptMs: 7 * DAY_MS,
  /** Connections to the host of a document. */
  documentConnections: 2,
  /** Concurrent fetches of documents of clients without any consent. */
  documentFetches: 500,
  /** Documents that are fetched from one host in a window. */
  documents: 60,
  /** Documents that are fetched for requests from one network in a window. */
  documentsOfNetwork: 300,
  /** How often the document of a client with consent is fetched in a window. */
  documentsOfClient: 6,
  /** The window in which these are counted. */
  documentsMs: MINUTE_MS,
  /** Hosts, networks and clients that are counted. */
  countedKeys: 10_000,
}
