import { speakAddresses, speakPhoneNumbers } from './addresses.ts'
import { speakAmounts } from './amounts.ts'
import { speakDatesAndTimes } from './calendar.ts'
import { speakCapitals, speakShortForms } from './short-forms.ts'

/**
 * English text as it is read aloud: only words and punctuation. A single capital stands for the name of the letter.
 * The order matters: the most specific patterns (an address, a date) come before what they consist of.
 */
export function spokenText(text: string): string {
  const steps = [
    ordinarySigns,
    speakAddresses,
    speakDatesAndTimes,
    speakPhoneNumbers,
    speakShortForms,
    speakAmounts,
    speakSigns,
    speakCapitals,
    onlyWords,
  ]
  return steps.reduce((spoken, step) => step(spoken), text)
}

/** Replaces look-alike characters by one. */
function ordinarySigns(text: string): string {
  return (
    text
      .replace(/[\u2122\u00AE\u00A9]/g, ' ')
      .normalize('NFKC')
      .replace(/[\u2018\u2019\u201B\u02BC`\u00B4]/g, "'")
      .replace(/[\u2010-\u2013\u2212]/g, '-')
      .replace(/\s*\u2014\s*/g, ', ')
      // The article, which what follows distinguishes from the letter A.
      .replace(/(^|[.!?]\s+)A(?= [a-z])/g, '$1a')
  )
}

function speakSigns(text: string): string {
  return text
    .replace(/&/g, ' and ')
    .replace(/(\b(?:press|dial|hit|key|or|and|then|the) )\*/gi, '$1star ')
    .replace(/#(?=\s?\w)(?<!\bpress #)/gi, ' number ')
    .replace(/#/g, ' hash ')
    .replace(/\+/g, ' plus ')
    .replace(/=/g, ' equals ')
    .replace(/@/g, ' at ')
    .replace(/%/g, ' percent ')
    .replace(/[$]/g, ' dollars ')
    .replace(/€/g, ' euros ')
    .replace(/£/g, ' pounds ')
    .replace(/\s+-+\s+|\s*[()[\]{}|]\s*/g, ', ')
    .replace(/[-/_\\~^*<>"]/g, ' ')
}

const LATIN: Record<string, string> = {
  æ: 'a',
  ø: 'o',
  å: 'aw',
  ß: 'ss',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ð: 'th',
  œ: 'e',
}

function onlyWords(text: string): string {
  return text
    .replace(/[æøåßđłþðœ]/gi, (letter) => LATIN[letter.toLowerCase()] ?? letter)
    .normalize('NFD')
    .replace(/[^A-Za-z'.,;:!?\s]+/g, (other) => (/^\p{M}+$/u.test(other) ? '' : ' '))
    .replace(/(?<![A-Za-z])'+|'+(?![A-Za-z])/g, ' ')
    .replace(/\s+(?=[.,;:!?])/g, '')
    .replace(
      /([.,;:!?])[.,;:!?]*(?:\s+[.,;:!?]+)*/g,
      (run, first: string) => (/[.!?]/.exec(run)?.[0] ?? first) + ' ',
    )
    .replace(/^[\s.,;:!?]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
}
