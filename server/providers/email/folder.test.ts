import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'

import { afterEach, describe, expect, test } from 'vitest'

import { createTestClock } from '../../../test/harness/test-clock.ts'
import { newEmail, parseEmail } from '../../../test/harness/texts/email.ts'
import { createLog } from '../../platform/log.ts'
import { mailerContract } from './contract.ts'
import { folderMailer } from './folder.ts'

const opened: string[] = []

afterEach(async () => {
  for (const dir of opened.splice(0)) await rm(dir, { recursive: true, force: true })
})

async function open({ from }: { from: string }) {
  const root = await mkdtemp(join(tmpdir(), 'bellhop-mail-'))
  opened.push(root)
  const dir = join(root, 'data', 'mail')
  const logged: string[] = []
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      logged.push(chunk.toString())
      done()
    },
  })
  const log = createLog({ level: 'info', destination })
  const mailer = folderMailer({ dir, from, clock: createTestClock(), log })
  return {
    dir,
    logged,
    mailer,
    async delivered() {
      const names = await readdir(dir).catch(() => [])
      return Promise.all(
        names.map(async (name) => {
          const source = await readFile(join(dir, name), 'utf8')
          return { source, recipients: addressesIn(parseEmail(source).header('to') ?? '') }
        }),
      )
    },
    async refuseLetters() {
      await mkdir(join(root, 'data'))
      await writeFile(dir, 'a file where the folder should be')
    },
  }
}

const addressesIn = (to: string) => to.match(/[^\s<>,;"]+@[^\s<>,;"]+/g) ?? []

describe('e-mails written to a folder', () => {
  mailerContract(open)

  test('each is a complete .eml file that only its owner may read, and the log names it', async () => {
    const { dir, logged, mailer } = await open({ from: 'Bellhop <bellhop@example.com>' })
    await mailer.send(newEmail({ to: 'anna@example.com', subject: 'Hi', text: 'x' }))
    const [name, ...more] = await readdir(dir)
    expect(more).toEqual([])
    expect(name).toMatch(/\.eml$/)
    const path = join(dir, name!)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(dir)).mode & 0o777).toBe(0o700)
    expect(logged.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual([path])
  })
})
