import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { encodeId } from '../../../server/platform/ids.ts'
import { newEmployee } from '../employees.ts'
import type { Harness, TestCompany } from '../index.ts'
import { parseEmail } from '../texts/email.ts'

export const PASSWORD = 'correct horse battery staple'

export interface SignInEmployee {
  /** In the wire format. */
  id: string
  employeeId: string
  name: string
  email: string
  company: TestCompany
}

/** An employee with a password, in the given company or a new one. */
export async function newSignInEmployee(bellhop: Harness, of?: TestCompany): Promise<SignInEmployee> {
  const company = of ?? (await bellhop.newCompany())
  const input = { name: 'Åse Ørsted', email: `${randomUUID()}@example.com` }
  const { id: employeeId } = await bellhop.db.tx((tx) =>
    newEmployee(tx, company.companyId, { ...input, password: PASSWORD }),
  )
  return { id: encodeId('emp', employeeId), employeeId, ...input, company }
}

/** Sends all pending e-mails, and returns the link in the last one to this address. */
export async function linkTo(bellhop: Harness, email: string): Promise<string> {
  const links = (await emailsTo(bellhop, email)).map((text) => /http\S+/.exec(text)?.[0])
  const link = links.at(-1)
  if (!link) throw new Error(`no e-mail with a link went to ${email}`)
  return link
}

/** Sends all pending e-mails, and returns the texts of those to this address, in order. */
export async function emailsTo(bellhop: Harness, email: string): Promise<string[]> {
  await bellhop.drainJobs()
  const dir = join(bellhop.dataDir, 'mail')
  const names = (await readdir(dir).catch(() => [])).toSorted((a, b) => a.localeCompare(b))
  const messages = await Promise.all(
    names.map(async (name) => parseEmail(await readFile(join(dir, name), 'utf8'))),
  )
  return messages.filter((message) => message.header('to') === email).map(({ text }) => text)
}
