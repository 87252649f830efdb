import type { Translation } from '../i18n/language.tsx'
import type { refusalTexts } from './texts.ts'

type Reasons = typeof refusalTexts.en

/**
 * The API says in English what is wrong with a value, and this recognises what it said. The first match counts. What a
 * pattern captures is put into the sentence. test/refusals.test.ts sends every refusal of these through it.
 */
const REASONS: [keyof Reasons, RegExp][] = [
  ['required', /^(is required|can't be blank.*)$/],
  ['tooLong', /^is too long \(at most (\d+) characters\)$/],
  ['tooMany', /^may have at most (\d+) entries$/],
  ['unstorable', /^contains characters that cannot be stored$/],
  ['severalLines', /^must be one line/],
  ['nameCharacters', /^may have ASCII letters/],
  ['timezone', /^must be an IANA timezone/],
  ['language', /^must be the code of a language/],
  ['languageCannotSpeak', /cannot be spoken; change it first: (.*)$/s],
  ['noWords', /^must have a letter or a digit/],
  ['unspeakable', /^cannot be spoken in .*\((.*)\), the language of the number$/],
  ['nobody', /^must name at least one employee$/],
  ['unknownEmployee', /^must be ids of employees of the company$/],
  ['noKey', /^must have at least one option$/],
  ['keyTwice', /^must not use a digit twice$/],
  ['wrongKey', /^must be one key from 1 to 9$/],
  ['wrongTime', /^must be a time such as/],
  ['closesBefore', /^must open before it closes/],
  ['notAPhone', /^is not a (valid )?phone number/],
  ['phoneTaken', /^is already used by another contact$/],
  ['notAnEmail', /^is not an e-mail address$/],
  ['emailTaken', /^is already used by another employee$/],
  ['notHttps', /^must be an https address$/],
  ['urlWithPassword', /^must not hold a user name or password$/],
  ['privateAddress', /^must not lead to a private address$/],
  ['cannotText', /^needs a number that can send texts$/],
  ['notInFuture', /^must be in the future$/],
]

/** The same in the language of the reader; as the API said it if that is not known here. */
export function refusalSentence(t: Translation<Reasons>, locale: string, message: string): string {
  for (const [reason, pattern] of REASONS) {
    const found = pattern.exec(message)
    if (!found) continue
    const say = t[reason]
    if (typeof say === 'string') return say
    const detail = found[1] ?? ''
    return say(reason === 'unspeakable' ? languageName(locale, detail) : detail)
  }
  return message
}

const languageName = (locale: string, code: string): string =>
  new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code
