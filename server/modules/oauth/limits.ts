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
  /** What arrives within this time of a first use was sent without knowing its answer, which is held back so long. */
  togetherMs: 250,
  /**
   * How long an access token is remembered: a revoked one must be dead on every process within a second, also when
   * the announcement of the database is lost.
   */
  rememberMs: 800,
  /** Access tokens that a process remembers. */
  tokens: 10_000,
  /** A longer token is refused unread. */
  tokenCharacters: 128,
  /** How exactly the last use of a grant is known. */
  lastUseMs: 60_000,
  /** Redirect URIs of a client. */
  redirectUris: 20,
  /** A redirect URI. */
  redirectUriCharacters: 2_000,
  /** The name of a client. */
  clientNameCharacters: 128,
  /** The body of a registration: room for all the addresses that a client may have, and much that we ignore. */
  registrationBytes: 64 * 1024,
  /** Registrations from one address in a window. Generous: behind a proxy many share one. */
  registrations: 100,
  /** The window in which they are counted. */
  registrationsMs: 10 * MINUTE_MS,
  /** A registration that nobody has agreed to by then is removed. */
  unusedClientMs: 7 * DAY_MS,
  /** A client ID metadata document. */
  documentBytes: 64 * 1024,
  /** Time to fetch such a document. */
  documentMs: 5 * SECOND_MS,
  /** How long a document is used without fetching it again. */
  documentFreshMs: 5 * MINUTE_MS,
  /** How long a copy counts while the document cannot be fetched. */
  documentKeptMs: 7 * DAY_MS,
  /** Connections to the host of a document. */
  documentConnections: 2,
  /** Fetches that are under way at once, of clients that nobody has agreed to. */
  documentFetches: 500,
  /** Documents that are fetched of one host in a window. */
  documents: 60,
  /** Documents that are fetched for one network of callers in a window. */
  documentsOfNetwork: 300,
  /** How often the document of a client that is in use is fetched in a window. */
  documentsOfClient: 6,
  /** The window in which these are counted. */
  documentsMs: MINUTE_MS,
  /** Hosts, networks and clients for which this is counted. */
  countedKeys: 10_000,
}
