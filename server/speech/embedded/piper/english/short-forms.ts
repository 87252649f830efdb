/** Abbreviations that are read in full; with or without a full stop, unless the word alone means something else. */
const IN_FULL: Record<string, string> = {
  Mr: 'Mister',
  Mrs: 'Missis',
  Ms: 'Miz',
  Prof: 'Professor',
  Jr: 'Junior',
  Sr: 'Senior',
  Ltd: 'Limited',
  Inc: 'Incorporated',
  Corp: 'Corporation',
  Ave: 'Avenue',
  Blvd: 'Boulevard',
  Rd: 'Road',
  Dept: 'Department',
  dept: 'department',
  approx: 'approximately',
  incl: 'including',
  excl: 'excluding',
  vs: 'versus',
  ext: 'extension',
  Ext: 'extension',
  tel: 'telephone',
  Tel: 'telephone',
  'w/o': 'without',
  misc: 'miscellaneous',
  info: 'info',
}
const WITH_STOP: Record<string, string> = {
  'e.g': 'for example',
  'i.e': 'that is',
  etc: 'et cetera',
  No: 'number',
  no: 'number',
  Nos: 'numbers',
  Co: 'Company',
  Apt: 'apartment',
  Gen: 'General',
  Rev: 'Reverend',
  min: 'minutes',
  hrs: 'hours',
}
/** Acronyms and words in capitals that are pronounced as words. */
const SAID_AS_WORD = new Set(
  (
    'PIN SIM NASA NATO COVID LEGO IKEA AIDS OPEC UNICEF UNESCO RAM GIF SWAT FIFA UEFA VISA YES NO NOT NEW ALL AND ' +
    'THE YOU YOUR OUR OUT NOW FOR ARE OFF ONE TWO SIX TEN DAY CALL OPEN FREE MUST ONLY STOP SALE HELP MAIN WILL WITH ' +
    'FROM THIS THAT HAVE BACK TIME MORE BEST VERY EVER SOON TODAY NEVER MUCH LEFT'
  ).split(' '),
)

export function speakShortForms(text: string): string {
  return text
    .replace(/\bSt\.(?=\s+[A-Z])/g, (_, at: number, whole: string) =>
      /[A-Z][\p{L}']*\s+$/u.test(whole.slice(0, at)) ? 'Street.' : 'Saint',
    )
    .replace(/\bSt\b\.?(?=\s*($|[^\sA-Z]))/g, 'Street')
    .replace(/\bDr\b\.?(?=\s+[A-Z])/g, 'Doctor')
    .replace(/(?<=[A-Z]\w+ )Dr\b\.?/g, 'Drive')
    .replace(/\bDr\b\./g, 'Doctor')
    .replace(
      /\b(No|no|Nos)\.(?=\s?(?:\d|is\b|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty)\b)/g,
      'number',
    )
    .replace(
      /\b(e\.g|i\.e|etc|Co|Apt|Gen|Rev|min|hrs)\.(,?)/gi,
      (match, short: string, comma: string, at: number, whole: string) => {
        const ends = /^\s*($|[A-Z])/.test(whole.slice(at + match.length)) && !/^[ei]\./i.test(short)
        return (WITH_STOP[short] ?? WITH_STOP[short.toLowerCase()] ?? short) + (ends ? '.' : comma)
      },
    )
    .replace(
      new RegExp(`(?<![\\w/])(${Object.keys(IN_FULL).join('|')})\\b(\\.?)(?!\\w)`, 'g'),
      (match, short: string, stop: string, at: number, whole: string) => {
        const titles = /^(Mr|Mrs|Ms|Prof|[eE]xt|[tT]el|approx|incl|excl|vs)$/.test(short)
        const ends = stop && !titles && /^\s*($|[A-Z])/.test(whole.slice(at + match.length))
        return (IN_FULL[short] ?? short) + (ends ? '.' : '')
      },
    )
    .replace(/\bw\/(?=\s?\w)/g, 'with ')
    .replace(/\bA\/S\b/g, 'A S')
    .replace(/\bApS\b/g, 'A P S')
    .replace(/\bO\.?K\b\.?(?=[\s,!?]|$)/g, 'okay')
    .replace(/\b(?:[A-Za-z]\.){2,}/g, (letters, at: number, whole: string) => {
      const ends = /^\s*($|[A-Z])/.test(whole.slice(at + letters.length))
      return Array.from(letters.toUpperCase().replaceAll('.', '')).join(' ') + (ends ? '.' : '')
    })
}

/** Capitals are spelled (VAT, CRM), unless they are pronounced as a word or the whole text is in capitals. */
export function speakCapitals(text: string): string {
  const words = text.match(/\p{L}{2,}/gu) ?? []
  const capitals = words.filter((word) => word === word.toUpperCase())
  if (words.length > 3 && capitals.length > words.length * 0.7) return text.toLowerCase()
  return text
    .replace(/(\p{Ll})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .replace(/(?<![\p{L}'])(\p{Lu}{2,})('?s)?(?![\p{L}])/gu, (match, letters: string, s = '') => {
      if (SAID_AS_WORD.has(letters)) return match.toLowerCase()
      // Five capitals or more are an emphasised word, if it can be pronounced.
      if (letters.length > 4 && /[AEIOUY]/.test(letters)) return match.toLowerCase()
      return Array.from(letters).join(' ') + (s ? "'s" : '')
    })
}
