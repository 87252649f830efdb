import { type Dispatcher, request as sendWithUndici } from 'undici'

export interface ApiReply<T = any> {
  status: number
  headers: Headers
  body: T
}

export interface ApiClient {
  get(path: string): Promise<ApiReply>
  post(path: string, body?: unknown): Promise<ApiReply>
  patch(path: string, body?: unknown): Promise<ApiReply>
  put(path: string, body?: unknown): Promise<ApiReply>
  delete(path: string): Promise<ApiReply>
  /** For raw bodies and other headers. The path is relative to /api/v1. */
  request(path: string, init: RequestInit): Promise<ApiReply>
}

/** An HTTP client of /api/v1; without a key it sends no credential. */
export function apiClient(url: string, key?: string): ApiClient {
  const request = async (path: string, init: RequestInit): Promise<ApiReply> => {
    const headers = { ...(key && { 'x-api-key': key }), ...(init.headers as Record<string, string>) }
    const response = await send(`${url}/api/v1${path}`, { ...init, headers })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  const withBody = (method: string) => (path: string, body?: unknown) =>
    body === undefined
      ? request(path, { method })
      : request(path, { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  return {
    get: (path) => request(path, {}),
    delete: (path) => request(path, { method: 'DELETE' }),
    post: withBody('POST'),
    patch: withBody('PATCH'),
    put: withBody('PUT'),
    request,
  }
}

/** What tests read of a response. */
export type Answer = Pick<Response, 'url' | 'status' | 'headers' | 'text' | 'json'>

/**
 * Like `fetch`, without redirects and without the cost of web streams, which tests of thousands of requests notice.
 * Multipart forms and streams are left to `fetch`.
 */
export async function send(url: string, init: RequestInit): Promise<Answer> {
  const { method = 'GET', body } = init
  if (body && !(typeof body === 'string' || body instanceof URLSearchParams || body instanceof Uint8Array))
    return fetch(url, init)
  const type = body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'text/plain'
  const headers = init.headers as Record<string, string> | undefined
  const answer = await sendWithUndici(url, {
    method,
    headers:
      body && !(body instanceof Uint8Array)
        ? { 'content-type': `${type};charset=UTF-8`, ...headers }
        : headers,
    body: body instanceof URLSearchParams ? body.toString() : (body ?? null),
  })
  const text = await answer.body.text()
  return {
    url,
    status: answer.statusCode,
    headers: headersOf(answer.headers),
    text: async () => text,
    json: async () => JSON.parse(text) as unknown,
  }
}

function headersOf(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(received))
    for (const value of [values ?? []].flat()) headers.append(name, value)
  return headers
}
