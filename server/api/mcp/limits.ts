/** The limits of tools (`/mcp`). */
export const MCP_LIMITS = {
  /** A message from a client, which is parsed several times before its tool is found. */
  messageBytes: 256 * 1024,
  /** The result of a tool: more than a language model can read. */
  resultBytes: 1024 * 1024,
  /** The URL that is built for a route: the longest that our HTTP server accepts. */
  urlCharacters: 16 * 1024,
  /** An id or a phone number among the arguments. A longer one is not found. */
  pathArgumentCharacters: 64,
}
