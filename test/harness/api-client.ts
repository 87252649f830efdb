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
    const response = await fetch(`${url}/api/v1${path}`, { ...init, headers })
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
