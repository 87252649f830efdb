/**
 * The languages that the embedded engines support: English, and every language of the espeak-ng package with words
 * and numbers (its Cherokee, Chuvash and Sindarin lack numbers, which business hours need). The test beside this file
 * derives the list from the package.
 */
export const SPEECH_LANGUAGES = (
  'af am an ar as az ba be bg bn bpy bs ca cmn cs cy da de el en eo es et eu fa fi fo fr ga gd gn grc gu hak haw he ' +
  'hi hr ht hu hy hyw ia id io is it ja jbo ka kaa kk kl kn ko kok ku ky la lb lfn lt ltg lv mi mk ml mr ms mt mto ' +
  'my nb nci ne nl nog om or pa pap pl pt py qdb qu quc qya ro ru sd shn si sk sl smj sq sr sv sw ta te th ti tk tn ' +
  'tr tt ug uk ur uz vi xex yue'
).split(' ')

/** Usual codes of languages that espeak-ng lists under another code. */
export const LANGUAGE_ALIASES: Readonly<Record<string, string>> = { no: 'nb', zh: 'cmn' }

const VOICES: ReadonlyMap<string, string> = new Map([
  ...SPEECH_LANGUAGES.map((language) => [language, language] as const),
  ...Object.entries(LANGUAGE_ALIASES),
])

/** The voice of a language, by the engine's name for it. */
export const voiceOf = (language: string): string | undefined => VOICES.get(language)
