import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createTransport } from 'nodemailer'

import type { Dependencies } from '../../platform/dependencies.ts'
import type { Mailer } from './port.ts'
import { soleRecipient } from './recipient.ts'

interface FolderOptions extends Dependencies<'clock' | 'log'> {
  dir: string
  from: string
}

/** Without an SMTP server: e-mails are written to files that any e-mail program opens. */
export function folderMailer({ dir, from, clock, log }: FolderOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' }, { from })
  return {
    async send(email) {
      const { message, messageId } = await transport.sendMail({ ...email, to: soleRecipient(email.to) })
      const path = join(dir, `${clock.now().toISOString().replaceAll(':', '-')}-${fileSafe(messageId)}.eml`)
      // E-mails contain sign-in links: only the owner of the data folder may read them.
      await mkdir(dir, { recursive: true, mode: 0o700 })
      await writeFile(`${path}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${path}.part`, path)
      log.info({ path }, 'SMTP_URL is not set, so the e-mail was written to a file')
    },
    close: () => {},
  }
}

const fileSafe = (messageId: string) => messageId.replace(/@.*/, '').replace(/[^A-Za-z0-9-]/g, '')
