/**
 * How an English reader would say a word that no dictionary has: a name, a brand. Rules of spelling in ARPABET, the
 * first that fits wins; then a guess at the stress. They are ours because the usual phonemiser of Piper, espeak-ng, is
 * under the GPL and would be linked into this program (docs/licences.md).
 */
type Rule = [left: string, letters: string, right: string, sounds: string]

const V = '[aeiouy]'
const C = '[bcdfghjklmnpqrstvwxz]'
/** A silent e at the end makes the vowel before it long: 'cane', 'time', 'notes'. */
const MAGIC_E = `${C}(es?|ed)$`
const FRONT = '[eiy]'

const RULES: Rule[] = [
  ['', 'augh', '', 'AO'],
  ['', 'aigh', '', 'EY'],
  ['', 'air', '', 'EH R'],
  ['', 'ai', '', 'EY'],
  ['', 'ay', '', 'EY'],
  ['', 'au', '', 'AO'],
  ['', 'aw', '', 'AO'],
  ['', 'aa', '', 'AA'],
  ['', 'ae', '', 'EH'],
  ['', 'are', '$', 'EH R'],
  ['', 'ar', '', 'AA R'],
  ['w', 'a', '(s|t|n)', 'AA'],
  ['', 'all', '', 'AO L'],
  ['', 'al', '[kmf]', 'AO'],
  ['', 'age', '$', 'IH JH'],
  ['', 'a', MAGIC_E, 'EY'],
  ['', 'a', '(tion|cious|cial)', 'EY'],
  ['.', 'a', '$', 'AH'],
  ['', 'a', '', 'AE'],
  ['m', 'b', '$', ''],
  ['', 'bb', '', 'B'],
  ['', 'b', '', 'B'],
  ['^', 'chr', '', 'K R'],
  ['s', 'ch', '', 'K'],
  ['', 'tch', '', 'CH'],
  ['', 'ch', '', 'CH'],
  ['', 'ck', '', 'K'],
  ['', 'ci', '(a|o|ou)', 'SH'],
  ['', 'cc', FRONT, 'K S'],
  ['', 'cc', '', 'K'],
  ['s', 'c', FRONT, ''],
  ['', 'c', FRONT, 'S'],
  ['', 'c', '', 'K'],
  ['', 'dge', '', 'JH'],
  ['', 'dd', '', 'D'],
  ['', 'd', '', 'D'],
  ['', 'eigh', '', 'EY'],
  ['', 'ear', '', 'IH R'],
  ['', 'eer', '', 'IH R'],
  ['', 'ea', '', 'IY'],
  ['', 'ee', '', 'IY'],
  ['', 'ei', '', 'AY'],
  ['', 'eu', '', 'Y UW'],
  ['', 'ew', '', 'UW'],
  ['', 'ey', '$', 'IY'],
  ['', 'ey', '', 'EY'],
  ['', 'ere', '$', 'IH R'],
  ['', 'er', '', 'ER'],
  ['(t|d)', 'ed', '$', 'IH D'],
  ['[pkfsxc]', 'ed', '$', 'T'],
  ['[^t]', 'ed', '$', 'D'],
  ['(s|z|x|ch|sh|c|g)', 'es', '$', 'IH Z'],
  [`${V}.*`, 'es', '$', 'Z'],
  ['^[^aeiouy]*', 'e', '$', 'IY'],
  [`l$|${V}.*`, 'e', '$', ''],
  ['', 'e', MAGIC_E, 'IY'],
  ['', 'e', '', 'EH'],
  ['', 'ff', '', 'F'],
  ['', 'f', '', 'F'],
  ['', 'gh', V, 'G'],
  ['', 'gh', '', ''],
  ['^', 'gn', '', 'N'],
  ['', 'gg', '', 'G'],
  ['', 'gu', FRONT, 'G'],
  ['', 'g', '(e|y)', 'JH'],
  ['', 'g', '', 'G'],
  ['', 'h', V, 'HH'],
  ['', 'h', '', ''],
  ['', 'igh', '', 'AY'],
  ['', 'ier', '$', 'IY ER'],
  ['', 'ie', '$', 'IY'],
  ['', 'ie', '', 'IY'],
  ['', 'ir', `(${C}|$)`, 'ER'],
  ['', 'ique', '$', 'IY K'],
  ['', 'ine', '$', 'IY N'],
  ['', 'i', MAGIC_E, 'AY'],
  ['', 'i', '$', 'IY'],
  ['', 'i', '[aou]', 'IY'],
  ['', 'i', '', 'IH'],
  ['', 'j', '', 'JH'],
  ['^', 'kn', '', 'N'],
  ['', 'kk', '', 'K'],
  ['', 'k', '', 'K'],
  [C, 'le', '$', 'AH L'],
  ['', 'll', '', 'L'],
  ['', 'l', '', 'L'],
  ['', 'mm', '', 'M'],
  ['', 'm', '', 'M'],
  ['', 'ng', '(er|$|s$)', 'NG'],
  ['', 'n', '[kgq]', 'NG'],
  ['', 'nn', '', 'N'],
  ['', 'n', '', 'N'],
  ['', 'oar', '', 'AO R'],
  ['', 'oa', '', 'OW'],
  ['', 'oe', '', 'OW'],
  ['', 'oi', '', 'OY'],
  ['', 'oy', '', 'OY'],
  ['', 'oor', '', 'AO R'],
  ['', 'oo', 'k', 'UH'],
  ['', 'oo', '', 'UW'],
  ['', 'ough', '', 'OW'],
  ['', 'ous', '$', 'AH S'],
  ['', 'our', '', 'AO R'],
  ['', 'ou', '', 'AW'],
  ['', 'ow', '$', 'OW'],
  ['', 'ow', '', 'AW'],
  ['', 'ore', '$', 'AO R'],
  ['', 'or', '', 'AO R'],
  ['', 'on', '$', 'AH N'],
  ['', 'o', MAGIC_E, 'OW'],
  ['', 'o', '$', 'OW'],
  ['', 'o', `(${C})?${V}`, 'OW'],
  ['', 'o', '', 'AA'],
  ['', 'ph', '', 'F'],
  ['^', 'ps', '', 'S'],
  ['', 'pp', '', 'P'],
  ['', 'p', '', 'P'],
  ['', 'qu', '', 'K W'],
  ['', 'q', '', 'K'],
  ['', 'rh', '', 'R'],
  ['', 'rr', '', 'R'],
  ['', 'r', '', 'R'],
  ['', 'sch', '', 'SH'],
  ['', 'sh', '', 'SH'],
  ['', 'ssion', '', 'SH AH N'],
  [V, 'sion', '', 'ZH AH N'],
  ['', 'sion', '', 'SH AH N'],
  ['', 'ss', '', 'S'],
  [V, 's', V, 'Z'],
  ['[bdgvlmnrwaeiouy]', 's', '$', 'Z'],
  ['', 's', '', 'S'],
  ['', 'tion', '', 'SH AH N'],
  ['', 'ti', '(al|ous|en)', 'SH'],
  ['', 'ture', '$', 'CH ER'],
  ['', 'th', '', 'TH'],
  ['', 'tt', '', 'T'],
  ['', 't', '', 'T'],
  ['', 'ur', '', 'ER'],
  ['', 'ue', '$', 'UW'],
  ['', 'ui', '', 'UW'],
  ['', 'u', MAGIC_E, 'UW'],
  ['', 'u', '$', 'UW'],
  ['', 'u', `${C}${V}`, 'UW'],
  ['', 'u', '', 'AH'],
  ['', 'vv', '', 'V'],
  ['', 'v', '', 'V'],
  ['^', 'wr', '', 'R'],
  ['', 'wh', '', 'W'],
  ['', 'w', '', 'W'],
  ['^', 'x', '', 'Z'],
  ['', 'x', '', 'K S'],
  ['^', 'y', V, 'Y'],
  ['', 'y', MAGIC_E, 'AY'],
  ['^[^aeiouy]*', 'y', '$', 'AY'],
  ['if', 'y', '$', 'AY'],
  ['', 'y', '$', 'IY'],
  [V, 'y', '', 'Y'],
  ['', 'y', '', 'IH'],
  ['', 'zz', '', 'Z'],
  ['', 'z', '', 'Z'],
]

const COMPILED = RULES.map(([left, letters, right, sounds]) => ({
  left: new RegExp(`(?:${left})$`),
  letters,
  right: new RegExp(`^(?:${right})`),
  sounds,
}))

const VOWEL = /^[AEIOU]/
/** Endings that put the stress on the syllable before them. */
const STRESS_BEFORE = /(tion|sion|ic|ics|ical|ity|ian|ia|io|ious|eous|graphy|logy)$/

const LETTERS_MAX = 40

/** Whether the word can be pronounced; otherwise it is spelled. */
export const isPronounceable = (word: string): boolean =>
  word.length <= LETTERS_MAX &&
  (/[aeiou]/.test(word) || (word.includes('y') && word.length > 3)) &&
  !/[bcdfghjklmnpqrstvwxz]{5}|^[bcdfghjklmnpqrtvwxz]{4}|^[^aeiouy]*[jqvx][^aeiouy]/.test(word)

export function soundsOf(word: string): string {
  const sounds: string[] = []
  for (let at = 0; at < word.length;) {
    const [before, rest] = [word.slice(0, at), word.slice(at)]
    const rule = COMPILED.find(
      ({ left, letters, right }) =>
        rest.startsWith(letters) && left.test(before) && right.test(rest.slice(letters.length)),
    )
    if (rule?.sounds) sounds.push(...rule.sounds.split(' '))
    at += rule?.letters.length ?? 1
  }
  return stressed(word, sounds).join(' ')
}

function stressed(word: string, sounds: string[]): string[] {
  const vowels = sounds.flatMap((sound, at) => (VOWEL.test(sound) ? [at] : []))
  const main = vowels[mainSyllable(word, vowels.length)]
  return sounds.map((sound, at) => {
    if (!VOWEL.test(sound)) return sound
    if (at === main) return `${sound}1`
    // An unstressed short vowel is reduced.
    return sound === 'AE' || sound === 'EH' ? 'AH0' : `${sound}0`
  })
}

function mainSyllable(word: string, count: number): number {
  if (count <= 2) return STRESS_BEFORE.test(word) ? Math.max(0, count - 2) : 0
  if (STRESS_BEFORE.test(word)) return /(ical|ity|graphy|logy)$/.test(word) ? count - 3 : count - 2
  // Italian and Spanish names end in a vowel and stress the syllable before it.
  return /[aio]$/.test(word) ? count - 2 : Math.max(0, count - 3)
}
