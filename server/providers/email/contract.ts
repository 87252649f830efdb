import { expect, test } from 'vitest'

import { newEmail, parseEmail } from '../../../test/harness/texts/email.ts'
import type { Mailer } from './port.ts'

export interface MailerUnderTest {
  mailer: Mailer
  /** What was delivered so far: the recipients, and the message as received. */
  delivered(): Promise<{ recipients: string[]; source: string }[]>
  /** From now on no e-mail can be delivered. */
  refuseLetters(): Promise<void>
}

/** The contract of every mailer. `open` creates one that sends as `from`; the caller closes what it opened. */
export function mailerContract(open: (options: { from: string }) => Promise<MailerUnderTest>): void {
  const from = 'Bellhop <bellhop@example.com>'

  test('an e-mail arrives with its sender, recipient, subject, date and text', async () => {
    const { mailer, delivered } = await open({ from })
    await mailer.send(
      newEmail({ to: 'anna@example.com', subject: 'Your phone', text: 'Hello Anna,\n\nwelcome.\n' }),
    )
    const [only, ...more] = await delivered()
    expect(more).toEqual([])
    expect(only!.recipients).toEqual(['anna@example.com'])
    const email = parseEmail(only!.source)
    expect(email.header('from')).toBe(from)
    expect(email.header('to')).toBe('anna@example.com')
    expect(email.header('subject')).toBe('Your phone')
    expect(Date.parse(email.header('date')!)).not.toBeNaN()
    expect(email.header('message-id')).toMatch(/^<.+@.+>$/)
    expect(email.text.trimEnd()).toBe('Hello Anna,\n\nwelcome.')
  })

  test('non-ASCII characters arrive unchanged', async () => {
    const { mailer, delivered } = await open({ from: 'Ærø Telefon <bellhop@example.com>' })
    const subject =
      'Din telefon hos Smørrebrød & Søn – 電話 ☎️, with a subject long enough to be folded twice over'
    const text = 'Hej Åse 👋\n\nVelkommen på færgen.\n日本語\n'
    await mailer.send(newEmail({ to: 'aase@example.com', subject, text }))
    const [{ source } = { source: '' }] = await delivered()
    const email = parseEmail(source)
    expect(email.header('from')).toBe('Ærø Telefon <bellhop@example.com>')
    expect(email.header('subject')).toBe(subject)
    expect(email.text.trimEnd()).toBe(text.trimEnd())
    expect(source.split(/\r?\n\r?\n/)[0], 'headers are ASCII on the wire').not.toMatch(/[^\s!-~]/)
  })

  test('lines that mail would treat specially arrive unchanged', async () => {
    const { mailer, delivered } = await open({ from })
    const link = `https://bellhop.example.com/invitations/${'a'.repeat(2_000)}`
    const text = `.\n..\nFrom here on\n=3D is no equals sign\n${link}\nlast line`
    await mailer.send(newEmail({ to: 'anna@example.com', subject: 'Odd lines', text }))
    const [email] = await delivered()
    expect(parseEmail(email!.source).text.trimEnd()).toBe(text)
    const longest = Math.max(...email!.source.split(/\r?\n/).map((line) => line.length))
    expect(longest, 'RFC 5322 allows no longer lines').toBeLessThanOrEqual(998)
  })

  test.each(['Hi\r\nBcc: eve@evil.example\r\nX-Evil: 1', 'Hi\nBcc: eve@evil.example\n\nanother body'])(
    'a subject cannot add headers, recipients or text: %j',
    async (subject) => {
      const { mailer, delivered } = await open({ from })
      await mailer.send(newEmail({ to: 'anna@example.com', subject, text: 'the body' }))
      const [{ recipients, source } = { recipients: [], source: '' }] = await delivered()
      const email = parseEmail(source)
      expect(recipients).toEqual(['anna@example.com'])
      const names = email.headers.map((header) => header.name)
      expect(names).toContain('subject')
      for (const name of ['bcc', 'x-evil']) expect(names).not.toContain(name)
      expect(email.text.trimEnd()).toBe('the body')
    },
  )

  test.each([
    'anna@example.com\r\nBcc: eve@evil.example',
    'anna@example.com>\r\nRCPT TO:<eve@evil.example',
    'anna@example.com, eve@evil.example',
    'anna@example.com; eve@evil.example',
    'Team: anna@example.com, eve@evil.example;',
    'Anna <eve@evil.example>',
    '',
  ])('only a single bare address is accepted as recipient: %j', async (to) => {
    const { mailer, delivered } = await open({ from })
    await expect(mailer.send(newEmail({ to, subject: 'Hi', text: 'x' }))).rejects.toThrow(
      'one bare e-mail address',
    )
    expect(await delivered()).toEqual([])
  })

  test('e-mails sent at once each arrive once', async () => {
    const { mailer, delivered } = await open({ from })
    const subjects = Array.from({ length: 20 }, (_, i) => `Letter ${i}`)
    await Promise.all(
      subjects.map((subject) => mailer.send(newEmail({ to: 'anna@example.com', subject, text: 'x' }))),
    )
    const arrived = (await delivered()).map(({ source }) => parseEmail(source).header('subject'))
    expect(arrived).toHaveLength(subjects.length)
    expect(new Set(arrived)).toEqual(new Set(subjects))
  })

  test('an e-mail that could not be delivered rejects, so that it is retried', async () => {
    const { mailer, delivered, refuseLetters } = await open({ from })
    await refuseLetters()
    await expect(
      mailer.send(newEmail({ to: 'anna@example.com', subject: 'Hi', text: 'x' })),
    ).rejects.toThrow()
    expect(await delivered()).toEqual([])
  })
}
