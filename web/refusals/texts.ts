import { texts } from '../i18n/language.tsx'

/** What to do about a value that the API refuses, as a sentence beside its field. */
export const refusalTexts = texts('refusal', {
  required: 'Fill this in.',
  tooLong: (characters: string) => `This is too long. Shorten it to ${characters} characters.`,
  tooMany: (count: string) => `This is too many. Choose at most ${count}.`,
  unstorable: 'Some of these characters cannot be stored. Write the text again without them.',
  severalLines: 'Write this on one line, without control characters.',
  nameCharacters: 'Use only the letters a to z, digits, spaces and -_~!.+',
  timezone: 'Choose a timezone from the list, such as Europe/Copenhagen.',
  language: 'Choose a language from the list.',
  languageCannotSpeak: (text: string) =>
    `This voice cannot read a text of the number: “${text}” Change that text first.`,
  noWords: 'There is nothing to say. Write at least one word or digit.',
  unspeakable: (language: string) =>
    `The voice of this number speaks ${language} and cannot read this. Write it in that language, or choose another voice in the settings.`,
  nobody: 'Choose at least one person.',
  unknownEmployee: 'Somebody chosen here has been removed. Choose again.',
  noKey: 'Add at least one key.',
  keyTwice: 'Two choices have the same key. Give one of them another key.',
  wrongKey: 'Choose a key from 1 to 9.',
  wrongTime: 'Write a time, for example 17:00.',
  closesBefore: 'It must close after it opens.',
  notAPhone: 'This is not a phone number. Write it with the country code, such as +45 70 12 34 56.',
  phoneTaken: 'Another contact has this number. Change that contact instead.',
  notAnEmail: 'This is not an e-mail address. It looks like name@example.com.',
  emailTaken: 'Somebody else signs in with this address. Use another one.',
  notHttps: 'Write an address that begins with https://',
  urlWithPassword: 'Remove the user name and password from the address.',
  privateAddress: 'This address is in a private network. Use one that can be reached from the internet.',
  cannotText: 'This number cannot send texts. Switch the reply off, or ask whoever operates Bellhop.',
  notInFuture: 'Choose a time in the future.',
})
