/** Calls the HTTP API; fails if it refuses. */
export const connectApi =
  ({ url, apiKey }: { url: string; apiKey: string }) =>
  async (method: string, path: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
