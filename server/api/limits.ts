/** The limits of the HTTP application. */
export const API_LIMITS = {
  /** A longer parameter in a path is not found without asking the database. */
  pathParameterCharacters: 256,
  /**
   * Objects and lists in one JSON body: what is built of a body costs more than its bytes, and no request comes near
   * it.
   */
  bodyContainers: 250_000,
  /** Fields of the JSON object that is the body. */
  bodyFields: 1_000,
  /** The body of a callback of an SMS provider. */
  callbackBytes: 256 * 1024,
  /** How long a browser remembers what another origin may do; Chromium remembers nothing for longer. */
  preflightSeconds: 7_200,
  /** How long browsers keep the files of the dashboard, whose names change with their content. */
  assetSeconds: 365 * 24 * 60 * 60,
  /** How long a browser keeps the language that was chosen. */
  languageSeconds: 365 * 24 * 60 * 60,
  /** How long browsers keep the stylesheet of the pages. */
  stylesheetSeconds: 300,
  /** How long browsers keep the script of the API reference. */
  scriptSeconds: 300,
  /** How long browsers insist on HTTPS (Strict-Transport-Security). */
  httpsSeconds: 365 * 24 * 60 * 60,
}
