import { notFound } from '../../../platform/errors.ts'
import type { Page, PageRequest } from '../../../platform/http/page.ts'
import { formatFor } from './formats.ts'
import { settingsByLink } from './links.ts'

export const PROVISIONING_PATH = '/provision'

/** Where phones fetch their settings. They sign in by the secret in the path alone, and add the name of a file to it. */
export function provisioningPages(parts: Parameters<typeof settingsByLink>[0]): Page[] {
  async function handle({ params }: PageRequest) {
    const { token = '', format: name = '', file = '' } = params
    // Before the link is used up: phones also ask for files that are not their own.
    const format = formatFor(name, file)
    const settings = format && (await settingsByLink(parts, token))
    if (!settings) throw notFound()
    return {
      status: 200,
      headers: {},
      cookies: [],
      formTargets: [],
      file: { type: format.type, text: format.write(settings) },
    }
  }
  const path = `${PROVISIONING_PATH}/:token/:format`
  return [
    { method: 'GET', path, handle },
    { method: 'GET', path: `${path}/`, handle },
    { method: 'GET', path: `${path}/:file`, handle },
  ]
}
