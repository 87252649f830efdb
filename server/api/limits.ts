/** The limits of the HTTP application. */
export const API_LIMITS = {
  /** A path parameter. A longer one gets a 404 without a query. */
  pathParameterCharacters: 256,
  /**
   * Objects and arrays in one JSON body: parsed, they take more memory than their bytes. No valid request comes near
   * this.
   */
  bodyContainers: 250_000,
  /** Top-level fields of a JSON body. */
  bodyFields: 1_000,
  /** The body of a callback from an SMS provider. */
  callbackBytes: 256 * 1024,
  /** How long browsers cache a CORS preflight response; Chromium's maximum. */
  preflightSeconds: 7_200,
  /** How long browsers cache the files of the dashboard, whose names change with their content. */
  assetSeconds: 365 * 24 * 60 * 60,
  /** How long browsers cache the stylesheet of the pages. */
  stylesheetSeconds: 300,
  /** How long browsers cache the script of the API reference. */
  scriptSeconds: 300,
  /** How long browsers insist on HTTPS (Strict-Transport-Security). */
  httpsSeconds: 365 * 24 * 60 * 60,
}
