import { dictionary } from 'cmu-pronouncing-dictionary'

import { isPronounceable, soundsOf } from './letter-to-sound.ts'

/** From the dictionary's ARPABET to the IPA that the voice was trained on. */
const IPA: Record<string, string> = {
  AA: 'ɑː',
  AE: 'æ',
  AH: 'ʌ',
  AO: 'ɔː',
  AW: 'aʊ',
  AY: 'aɪ',
  B: 'b',
  CH: 'tʃ',
  D: 'd',
  DH: 'ð',
  EH: 'ɛ',
  ER: 'ɜː',
  EY: 'eɪ',
  F: 'f',
  G: 'ɡ',
  HH: 'h',
  IH: 'ɪ',
  IY: 'iː',
  JH: 'dʒ',
  K: 'k',
  L: 'l',
  M: 'm',
  N: 'n',
  NG: 'ŋ',
  OW: 'oʊ',
  OY: 'ɔɪ',
  P: 'p',
  R: 'ɹ',
  S: 's',
  SH: 'ʃ',
  T: 't',
  TH: 'θ',
  UH: 'ʊ',
  UW: 'uː',
  V: 'v',
  W: 'w',
  Y: 'j',
  Z: 'z',
  ZH: 'ʒ',
}
const UNSTRESSED: Record<string, string> = { AH: 'ə', ER: 'ɚ', IY: 'i' }
const STRESS: Record<string, string> = { '0': '', '1': 'ˈ', '2': 'ˌ' }

const LETTERS: Record<string, string> = {
  A: 'EY1',
  B: 'B IY1',
  C: 'S IY1',
  D: 'D IY1',
  E: 'IY1',
  F: 'EH1 F',
  G: 'JH IY1',
  H: 'EY1 CH',
  I: 'AY1',
  J: 'JH EY1',
  K: 'K EY1',
  L: 'EH1 L',
  M: 'EH1 M',
  N: 'EH1 N',
  O: 'OW1',
  P: 'P IY1',
  Q: 'K Y UW1',
  R: 'AA1 R',
  S: 'EH1 S',
  T: 'T IY1',
  U: 'Y UW1',
  V: 'V IY1',
  W: 'D AH1 B AH0 L Y UW0',
  X: 'EH1 K S',
  Y: 'W AY1',
  Z: 'Z IY1',
}

/** Function words are unstressed in a sentence. */
const WEAK: Record<string, string> = {
  a: 'ɐ',
  an: 'ɐn',
  and: 'ænd',
  are: 'ɑːɹ',
  as: 'æz',
  at: 'æt',
  be: 'biː',
  but: 'bʌt',
  by: 'baɪ',
  can: 'kæn',
  for: 'fɔːɹ',
  from: 'fɹʌm',
  has: 'hɐz',
  have: 'hæv',
  if: 'ɪf',
  in: 'ɪn',
  is: 'ɪz',
  it: 'ɪt',
  may: 'meɪ',
  of: 'ʌv',
  on: 'ɔn',
  or: 'ɔːɹ',
  our: 'aʊɚ',
  that: 'ðæt',
  the: 'ðə',
  this: 'ðɪs',
  to: 'tə',
  us: 'ʌs',
  was: 'wʌz',
  we: 'wiː',
  will: 'wɪl',
  with: 'wɪð',
  you: 'juː',
  your: 'jʊɹ',
}
const BEFORE_VOWEL: Record<string, string> = { the: 'ðɪ', to: 'tʊ' }

/** Where the dictionary lists another homograph first, has an odd form, or lacks the word. */
const OURS: Record<string, string> = {
  read: 'R IY1 D',
  lead: 'L IY1 D',
  use: 'Y UW1 Z',
  close: 'K L OW1 Z',
  wind: 'W IH1 N D',
  tear: 'T IH1 R',
  february: 'F EH1 B R UW0 EH2 R IY0',
  monday: 'M AH1 N D EY2',
  tuesday: 'T UW1 Z D EY2',
  wednesday: 'W EH1 N Z D EY2',
  thursday: 'TH ER1 Z D EY2',
  friday: 'F R AY1 D EY2',
  saturday: 'S AE1 T ER0 D EY2',
  sunday: 'S AH1 N D EY2',
  thirty: 'TH ER1 T IY0',
  miz: 'M IH1 Z',
  missis: 'M IH1 S IH0 Z',
  krone: 'K R OW1 N AH0',
  kroner: 'K R OW1 N ER0',
  ore: 'ER1 AH0',
  covid: 'K OW1 V IH0 D',
  blog: 'B L AA1 G',
  voip: 'V OY1 P',
  dial: 'D AY1 AH0 L',
}

const ENDINGS: [letters: string, stem: string, sounds: string][] = [
  ["'s", '', 'Z'],
  ['s', '', 'Z'],
  ['es', '', 'IH0 Z'],
  ['ed', '', 'D'],
  ['ed', 'e', 'D'],
  ['ing', '', 'IH0 NG'],
  ['ing', 'e', 'IH0 NG'],
  ['er', '', 'ER0'],
  ['ers', '', 'ER0 Z'],
  ['ly', '', 'L IY0'],
  ['ness', '', 'N AH0 S'],
  ['less', '', 'L AH0 S'],
]
const PART_LETTERS_MIN = 3
const COMPOUND_LETTERS_MAX = 40

/** The phonemes of one sentence of words and punctuation; empty if there is nothing to pronounce. */
export function pronounce(sentence: string): string {
  const tokens = sentence.match(/[A-Za-z']+|[.,;:!?]/g) ?? []
  let phonemes = ''
  for (const [at, token] of tokens.entries()) {
    if (/[.,;:!?]/.test(token)) {
      phonemes += token
      continue
    }
    const next = tokens[at + 1] ?? ''
    const said = sayWord(token)
    const beforeVowel = BEFORE_VOWEL[token.toLowerCase()]
    const follows = beforeVowel && /^[\p{L}']/u.test(next) ? sayWord(next) : ''
    const isVowelNext = /^[ˈˌ]?[aeiouæɑɐɔəɚɛɜɪʊʌ]/.test(follows)
    phonemes += `${phonemes && ' '}${beforeVowel && isVowelNext ? beforeVowel : said}`
  }
  return /\p{L}/u.test(phonemes) ? phonemes : ''
}

function sayWord(token: string): string {
  const letter = /^([A-Z])('s)?$/.exec(token)
  if (letter) return ipa((LETTERS[letter[1] ?? ''] ?? '') + (letter[2] ? ' Z' : ''))
  const word = token.toLowerCase()
  const weak = Object.hasOwn(WEAK, word) && WEAK[word]
  if (weak) return weak
  const known = lookUp(word) ?? withEnding(word) ?? compound(word)
  if (known) return ipa(known)
  const letters = word.replaceAll("'", '')
  if (isPronounceable(letters)) return ipa(soundsOf(letters))
  return Array.from(letters, (letter) => ipa(LETTERS[letter.toUpperCase()] ?? '')).join(' ')
}

function lookUp(word: string): string | undefined {
  if (Object.hasOwn(OURS, word)) return OURS[word]
  return Object.hasOwn(dictionary, word) ? dictionary[word] : undefined
}

function withEnding(word: string): string | undefined {
  for (const [letters, stemEnd, sounds] of ENDINGS) {
    if (!word.endsWith(letters) || word.length < letters.length + PART_LETTERS_MIN) continue
    const stem = lookUp(word.slice(0, -letters.length) + stemEnd)
    if (stem) return `${stem} ${afterSound(stem.split(' ').at(-1) ?? '', sounds)}`
  }
  return undefined
}

/** The endings of plural and past are voiced or voiceless as the sound before them. */
function afterSound(last: string, ending: string): string {
  if (ending === 'Z')
    return /^(S|Z|SH|ZH|CH|JH)$/.test(last) ? 'IH0 Z' : /^(P|T|K|F|TH)$/.test(last) ? 'S' : 'Z'
  if (ending === 'D') return /^(T|D)$/.test(last) ? 'IH0 D' : /^(P|K|F|S|SH|CH|TH)$/.test(last) ? 'T' : 'D'
  return ending
}

/** Compounds such as 'helpdesk'. The longest first part is most often right. */
function compound(word: string): string | undefined {
  if (word.length > COMPOUND_LETTERS_MAX) return undefined
  for (let at = word.length - PART_LETTERS_MIN; at >= PART_LETTERS_MIN; at--) {
    const [first, second] = [lookUp(word.slice(0, at)), lookUp(word.slice(at))]
    if (first && second) return `${first} ${second.replace('1', '2')}`
  }
  return undefined
}

function ipa(arpabet: string): string {
  const sounds = arpabet.split(' ').filter(Boolean)
  return sounds
    .map((sound, at) => {
      const [name, stress] = [sound.replace(/\d/, ''), /\d/.exec(sound)?.[0] ?? '']
      const [before = '', after = ''] = [sounds[at - 1], sounds[at + 1]]
      const last = at === sounds.length - 1
      if (stress === '0' && name === 'AH' && at === 0) return 'ɐ'
      if (stress === '0' && /^[IA]H$/.test(name) && at === sounds.length - 2 && isWeakEnding(before, after))
        return 'ᵻ'
      // The flapped t of American English between vowels.
      if (
        name === 'T' &&
        !last &&
        /\d$|^R$/.test(before) &&
        /^[A-Z]+0$/.test(after) &&
        sounds[at + 2] !== 'N'
      )
        return 'ɾ'
      return (STRESS[stress] ?? '') + ((stress === '0' && UNSTRESSED[name]) || (IPA[name] ?? ''))
    })
    .join('')
}

const isWeakEnding = (before: string, after: string) =>
  (after === 'Z' && /^(S|Z|SH|ZH|CH|JH)$/.test(before)) || (after === 'D' && /^(T|D)$/.test(before))
