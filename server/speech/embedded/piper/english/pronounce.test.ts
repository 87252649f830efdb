import { expect, test } from 'vitest'

import { pronounce } from './pronounce.ts'

test.each([
  ['Hello and welcome.', 'həlˈoʊ ænd wˈɛlkəm.'],
  ['the office, the shop, to Anna', 'ðɪ ˈɔːfɪs, ðə ʃˈɑːp, tʊ ˈænə'],
  ['wanted roses', 'wˈɔːntᵻd ɹˈoʊzᵻz'],
  ['Monday city', 'mˈʌndˌeɪ sˈɪɾi'],
])('a word of the dictionary has its American pronunciation: %s', (sentence, phonemes) => {
  expect(pronounce(sentence)).toBe(phonemes)
})

test.each([
  ['helpdesk', 'hˈɛlpdˌɛsk'],
  ['Blomster', 'blˈɑːmstɚ'],
  ['Zalando', 'zəlˈændoʊ'],
  ['Shopify', 'ʃˈoʊpɪfaɪ'],
  ["Vestergaard's", 'vˈɛstɚɡɑːɹdz'],
])('a word that is not in the dictionary is pronounced by rule: %s', (word, phonemes) => {
  expect(pronounce(word)).toBe(phonemes)
})

test.each([
  ['V A T', 'vˈiː ˈeɪ tˈiː'],
  ["P C's", 'pˈiː sˈiːz'],
  ['brfxxcc', 'bˈiː ˈɑːɹ ˈɛf ˈɛks ˈɛks sˈiː sˈiː'],
])('letters and unpronounceable words are spelled: %s', (letters, phonemes) => {
  expect(pronounce(letters)).toBe(phonemes)
})

test('punctuation alone has no phonemes', () => {
  expect(pronounce(' ,;: ...')).toBe('')
})
