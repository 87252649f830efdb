import type { AddressInfo } from 'node:net'

import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'

import { newEmail } from '../../../test/harness/texts/email.ts'
import { mailerContract } from './contract.ts'
import { smtpMailer } from './smtp.ts'

const opened: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function startSmtpServer(options: SMTPServerOptions = {}) {
  const received: { recipients: string[]; source: string }[] = []
  let refusing = false
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onRcptTo: (_address, _session, done) => done(refusing ? new Error('no such mailbox') : undefined),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ recipients, source: Buffer.concat(chunks).toString('utf8') })
        done()
      })
    },
    ...options,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  opened.push(close)
  const { port } = server.server.address() as AddressInfo
  return { port, received, refuse: () => (refusing = true), close }
}

function openMailer(url: string, from = 'Bellhop <bellhop@example.com>') {
  const mailer = smtpMailer({ url, from })
  opened.unshift(async () => mailer.close())
  return mailer
}

describe('e-mails sent by SMTP', () => {
  mailerContract(async ({ from }) => {
    const { port, received, refuse } = await startSmtpServer()
    return {
      mailer: openMailer(`smtp://127.0.0.1:${port}`, from),
      delivered: async () => received,
      refuseLetters: async () => void refuse(),
    }
  })

  test('the user name and password in the URL authenticate at the server', async () => {
    const { port, received } = await startSmtpServer({
      allowInsecureAuth: true,
      authOptional: false,
      onAuth: ({ username, password }, _, done) =>
        username === 'bell@hop' && password === 's3cret'
          ? done(null, { user: username })
          : done(new Error('wrong password')),
    })
    const message = newEmail({ to: 'anna@example.com', subject: 'Hi', text: 'x' })
    await openMailer(`smtp://bell%40hop:s3cret@127.0.0.1:${port}`).send(message)
    expect(received).toHaveLength(1)
    await expect(openMailer(`smtp://bell%40hop:guess@127.0.0.1:${port}`).send(message)).rejects.toThrow()
    expect(received).toHaveLength(1)
  })

  test('the e-mail is rejected if the server does not respond', async () => {
    const { port, close } = await startSmtpServer()
    await close()
    const mailer = openMailer(`smtp://127.0.0.1:${port}`)
    await expect(
      mailer.send(newEmail({ to: 'anna@example.com', subject: 'Hi', text: 'x' })),
    ).rejects.toThrow()
  })
})
