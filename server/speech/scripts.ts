import { voiceOf } from './languages.ts'

/**
 * Scripts that espeak-ng reads in every language, if need be with a second voice. Letters of other scripts it only
 * names ("Chinese letter, Chinese letter"), or reads out as numbers, unless the voice is listed below.
 */
const IN_EVERY_VOICE = 'Latn Grek Hang Deva Beng Geor Armn Gujr Guru Knda Mlym Sinh Taml'.split(' ')

/** Scripts with the voices that read them. Japanese is read in kana only. */
const VOICES_OF_SCRIPT: Readonly<Record<string, string>> = {
  Arab: 'ar fa sd ug ur',
  Bopo: 'cmn',
  Cyrl: 'ba be bg bs hr ka kaa kk ky lfn ltg lv mk nog ru sl sr tt uk uz',
  Ethi: 'am ti',
  Hani: 'cmn yue',
  Hebr: 'he',
  Hira: 'ja',
  Kana: 'ja',
  Mymr: 'my',
  Orya: 'or',
  Telu: 'te',
  Thai: 'th',
}

const lettersOf = (scripts: string[]) =>
  new RegExp(scripts.map((script) => `\\p{Script=${script}}`).join('|'), 'u')

/** The English voice has no second one. */
const LETTERS_OF_ENGLISH = lettersOf(['Latn'])
const LETTER = /\p{L}/gu

function readableLetters(voice: string): RegExp {
  if (voice === 'en') return LETTERS_OF_ENGLISH
  const own = Object.entries(VOICES_OF_SCRIPT).filter(([, voices]) => voices.split(' ').includes(voice))
  return lettersOf([...IN_EVERY_VOICE, ...own.map(([script]) => script)])
}

/** Whether the voice of the language can read the text: at least one of its letters, if it has any. */
export function canSay(language: string, text: string): boolean {
  const voice = voiceOf(language)
  const letters = text.match(LETTER)
  if (voice === undefined || !letters) return voice !== undefined
  const readable = readableLetters(voice)
  return letters.some((letter) => readable.test(letter))
}
