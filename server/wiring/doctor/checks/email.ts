import { join } from 'node:path'

import { verifySmtp } from '../../../providers/email/smtp.ts'
import type { Check } from '../check.ts'
import { ok, problem, warning } from '../finding.ts'
import { tryToWrite } from '../folders.ts'
import type { Surroundings } from '../inspection.ts'
import { isPublic } from '../public-host.ts'

/** The SMTP server accepts us, or the folder can be written. Nothing is sent. */
export const email: Check<Surroundings> = {
  name: 'email',
  async run({ config }) {
    if (config.smtpUrl) return [await checkSmtp(config.smtpUrl)]
    const folder = join(config.dataDir, 'mail')
    try {
      await tryToWrite(folder)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const action = 'Make it writable for the user that runs Bellhop, or set SMTP_URL.'
      return [problem(`E-mails cannot be written to ${folder} (${code}).`, action)]
    }
    if (!isPublic(config)) return [ok(`E-mails are written to ${folder}.`)]
    const message = `SMTP_URL is not set: e-mails are only written to ${folder}, and nobody receives an invitation.`
    return [warning(message, 'Set SMTP_URL to your SMTP server.')]
  },
}

async function checkSmtp(url: string) {
  const { host } = new URL(url)
  try {
    await verifySmtp(url)
    return ok(`The SMTP server ${host} accepts e-mails from us.`)
  } catch (error) {
    const { code, response, message } = error as Error & { code?: string; response?: string }
    if (code === 'EAUTH')
      return problem(
        `The SMTP server ${host} refuses the user name and password: ${response ?? message}.`,
        'Correct them in SMTP_URL.',
      )
    const reason = (response ?? message).split('\n', 1)[0]
    return problem(
      `The SMTP server ${host} does not accept us: ${reason}.`,
      'Check SMTP_URL, and that a firewall lets the connection through.',
    )
  }
}
