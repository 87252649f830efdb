import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

interface McpOptions {
  options?: ClientOptions
  /** The query with which the client connects. */
  query?: string
}

/** Runs something with the official client, connected with these headers. */
export async function withMcpClient<T>(
  { url }: { url: string },
  headers: Record<string, string>,
  run: (client: Client) => Promise<T>,
  { options, query = '' }: McpOptions = {},
): Promise<T> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp${query}`), { requestInit: { headers } }),
  )
  try {
    return await run(client)
  } finally {
    await client.close()
  }
}
