import { send as sendOverHttp } from '../api-client.ts'

export interface ReadPage {
  status: number
  headers: Headers
  /** The target of a redirect; redirects are not followed. */
  location: string | null
  html: string
  /** Without tags, with entities decoded and white space collapsed. */
  text: string
}

export interface FormBrowser {
  get(path: string, headers?: Record<string, string>): Promise<ReadPage>
  /** Submits a form without reading the page first. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<ReadPage>
  /** Reads the page, and submits its form for `action` with these fields and the hidden ones. */
  submit(path: string, action: string, fields?: Record<string, string>): Promise<ReadPage>
  cookies: Map<string, string>
}

/** A browser without scripts: keeps cookies, and reads and submits forms. */
export function formBrowser(url: string, { address = '192.0.2.1' }: { address?: string } = {}): FormBrowser {
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit): Promise<ReadPage> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      'x-forwarded-for': address,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...(cookie && { cookie }),
      ...(init.headers as Record<string, string>),
    }
    const response = await sendOverHttp(new URL(path, url).href, { ...init, headers })
    for (const line of response.headers.getSetCookie()) keep(line)
    const html = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location'),
      html,
      text: readable(html),
    }
  }

  function keep(line: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
    if (line.includes('Max-Age=0')) cookies.delete(name!)
    else cookies.set(name!, value!)
  }

  const get = (path: string, headers = {}) => send(path, { headers })
  const post = (path: string, fields: Record<string, string>, headers = {}) =>
    send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { origin: url, ...headers } })

  return {
    cookies,
    get,
    post,
    async submit(path, action, fields = {}) {
      const page = await get(path)
      return post(action, { ...hiddenFields(page, action), ...fields })
    },
  }
}

/** The prefilled fields of the form for `action`. */
export function hiddenFields({ html, status, location }: ReadPage, action: string): Record<string, string> {
  const forms = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)]
  const form = forms.find(([, target]) => decode(target!) === action)?.[2]
  if (form === undefined)
    throw new Error(`no form for ${action} on a page of ${status}, ${location}: ${html}`)
  const inputs = form.matchAll(/<input\s+type="hidden"\s+name="([^"]+)"[^>]*?value="([^"]*)"/g)
  return Object.fromEntries([...inputs].map(([, name, value]) => [name!, decode(value!)]))
}

const readable = (html: string) =>
  decode(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

const decode = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
