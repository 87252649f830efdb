/** The limits of sending e-mail. */
export const EMAIL_PROVIDER_LIMITS = {
  /** Time to connect to the SMTP server. */
  connectMs: 10_000,
  /** How long the connection may be idle. */
  socketMs: 30_000,
}
