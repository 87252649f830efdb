/** The limits of tools (`/mcp`). */
export const MCP_LIMITS = {
  /** One message of a client, which is read several times over before its tool is found. */
  messageBytes: 256 * 1024,
  /** The answer of a route as the result of a tool: more than a language model can read. */
  resultBytes: 1024 * 1024,
  /** The address that is built for a route: as long as HTTP lets it be. */
  urlCharacters: 16 * 1024,
}
