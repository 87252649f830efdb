import type { Config } from '../../../config.ts'
import type { Check } from '../check.ts'
import { type Finding, ok, problem, warning } from '../finding.ts'
import { fetchJson, fetchText, identifyResponder, type Responder } from '../identify.ts'
import type { Surroundings } from '../inspection.ts'
import { isLoopback, isPublic, ownUrl } from '../public-host.ts'

/** The public URL is set if there is one, leads to this installation, and is https. */
export const baseUrl: Check<Surroundings> = {
  name: 'base-url',
  async run(inspection) {
    const { baseUrl: url } = inspection.config
    if (url === undefined) return [await checkUnset(inspection.config)]
    const responder = await identifyResponder(url, inspection.secret)
    return [...checkHttps(url), ...(await checkResponder(url, responder, inspection))]
  },
}

const SET_IT =
  'Set BELLHOP_BASE_URL to the URL at which people reach Bellhop, such as https://phone.example.com.'

async function checkUnset(config: Config): Promise<Finding> {
  const own = ownUrl(config)
  const named = own ?? 'a port of this machine'
  if (isPublic(config))
    return warning(
      `BELLHOP_BASE_URL is not set although Bellhop listens on ${config.host}: OAuth, MCP, links and webhooks name ${named}.`,
      SET_IT,
    )
  if (own !== undefined && (await isNeeded(own, config)))
    return warning(
      `Requests come for a public host although BELLHOP_BASE_URL is not set: OAuth, MCP, links and webhooks name ${named}.`,
      SET_IT,
    )
  return ok(`BELLHOP_BASE_URL is not set: Bellhop serves this machine only, at ${named}.`)
}

/** What the running API has seen. */
async function isNeeded(own: string, { metricsToken }: Config): Promise<boolean> {
  const headers: Record<string, string> =
    metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` }
  const metrics = await fetchText(`${own}/metrics`, headers)
  return metrics !== undefined && /^bellhop_base_url_needed 1$/m.test(metrics)
}

function checkHttps(url: string): Finding[] {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || isLoopback(hostname)) return []
  return [
    problem(
      `BELLHOP_BASE_URL is plain http: passwords can be read on the way, and browsers give the softphone no microphone.`,
      'Serve Bellhop through a reverse proxy with a certificate, and set BELLHOP_BASE_URL to its https URL.',
    ),
  ]
}

async function checkResponder(
  url: string,
  responder: Responder,
  { processes }: Surroundings,
): Promise<Finding[]> {
  // If no API runs, nobody can answer, and that alone is not a fault.
  const graded = processes && !processes.some(({ role }) => role === 'api') ? warning : problem
  switch (responder.is) {
    case 'ours':
      return [await checkIssuer(url)]
    case 'foreign':
      return [
        problem(
          `Another Bellhop answers at ${url}, or one with another BELLHOP_SECRET.`,
          'Check BELLHOP_BASE_URL, where the reverse proxy sends requests, and that all processes have the same secret.',
        ),
      ]
    case 'redirect':
      return [
        problem(
          `${url} redirects to ${responder.to}.`,
          'Set BELLHOP_BASE_URL to the URL without a redirect.',
        ),
      ]
    case 'other':
      return responder.status >= 502
        ? [
            graded(
              `A proxy answers at ${url}, but does not reach Bellhop (${responder.status}).`,
              CHECK_PROXY,
            ),
          ]
        : [problem(`What answers at ${url} is not Bellhop (${responder.status}).`, CHECK_PROXY)]
    case 'unreachable':
      return [unreachable(url, responder.reason, graded)]
  }
}

const CHECK_PROXY = 'Check BELLHOP_BASE_URL, where the reverse proxy sends requests, and that Bellhop runs.'

/** DNS and certificates have nothing to do with whether Bellhop runs. */
function unreachable(url: string, reason: string, graded: typeof problem): Finding {
  const { hostname } = new URL(url)
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(reason))
    return problem(
      `The name ${hostname} does not resolve (${reason}).`,
      'Check BELLHOP_BASE_URL and its DNS records.',
    )
  if (/CERT|TLS|SSL|EPROTO/.test(reason))
    return problem(
      `The certificate of ${hostname} is not accepted (${reason}).`,
      'Renew or correct the certificate.',
    )
  return graded(
    `${url} cannot be reached from this machine (${reason}).`,
    'Start Bellhop and the reverse proxy, and check BELLHOP_BASE_URL and the firewall.',
  )
}

/** The running process may have been started with another setting than this command. */
async function checkIssuer(url: string): Promise<Finding> {
  const metadata = await fetchJson(`${url}/.well-known/oauth-authorization-server`)
  if (metadata?.['issuer'] === url) return ok(`${url} leads to this installation.`)
  return problem(
    `${url} leads to this installation, but its OAuth issuer is ${JSON.stringify(metadata?.['issuer'])}.`,
    'Start every API process with the same BELLHOP_BASE_URL, and let the proxy pass on /.well-known/.',
  )
}
