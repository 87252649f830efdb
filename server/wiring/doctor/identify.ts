import { systemClock } from '../../platform/clock.ts'
import { createSignedLinks } from '../../platform/crypto/signed-links.ts'
import { errorReason } from './finding.ts'
import { DOCTOR_LIMITS } from './limits.ts'

/** Who answers at a URL. */
export type Responder =
  /** A process that has our secret. */
  | { is: 'ours' }
  /** A Bellhop with another secret. */
  | { is: 'foreign' }
  | { is: 'other'; status: number }
  | { is: 'redirect'; to: string }
  /** `reason` is the code of a system error. */
  | { is: 'unreachable'; reason: string }

const NO_SUCH_FILE = 'doctor/no-such-file'

/** A signed link to a file that never exists: only a process with our secret answers 404, any other Bellhop 403. */
export async function identifyResponder(url: string, secret: string | undefined): Promise<Responder> {
  const links = createSignedLinks({ secret: secret ?? 'before the first start', clock: systemClock })
  try {
    const response = await request(`${url}${links.to(NO_SUCH_FILE, DOCTOR_LIMITS.requestMs * 2)}`)
    const { status, headers } = response
    const location = headers.get('location')
    if (status >= 300 && status < 400 && location) return { is: 'redirect', to: location }
    const code = await errorCode(response)
    if (code === 'link_expired') return { is: 'foreign' }
    // It opened the link, but its storage does not respond, which is another check's finding.
    const opened = code === 'not_found' || (status >= 500 && headers.has('x-request-id'))
    return opened && headers.has('x-request-id') ? { is: 'ours' } : { is: 'other', status }
  } catch (error) {
    return { is: 'unreachable', reason: errorReason(error) }
  }
}

/** The JSON of a successful response; undefined if there is none. */
export async function fetchJson(url: string): Promise<Record<string, unknown> | undefined> {
  const text = await fetchText(url)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>)
  } catch {
    // Another program's page, so not the JSON that we look for.
    return undefined
  }
}

export async function fetchText(
  url: string,
  headers: Record<string, string> = {},
): Promise<string | undefined> {
  try {
    const response = await request(url, headers)
    return response.ok ? await response.text() : undefined
  } catch {
    // Whether it can be reached at all is what `identifyResponder` tells.
    return undefined
  }
}

const request = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(DOCTOR_LIMITS.requestMs) })

async function errorCode(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return (JSON.parse(text) as { error?: unknown }).error
  } catch {
    // A page of another program.
    return undefined
  }
}
