import { texts } from './language.tsx'

export const doubleTexts = texts('doubles', {
  find: 'Doubles',
  title: 'Double contacts',
  lead: 'Contacts of the same name or e-mail address. Merge those that are the same person.',
  back: 'All contacts',
  empty: 'No doubles',
  emptyHint: 'No two contacts have the same name or e-mail address.',
  more: 'There are more. They are shown when you have merged some of these.',
  merge: 'Merge',
  mergeNamed: (name: string) => `Merge ${name}`,
  mergeTitle: 'Merge contacts',
  hint: 'One contact remains, with all numbers. The conversations stay where they are, and show this contact. It cannot be undone.',
  firstNumber: 'First number',
  merged: 'Contacts merged.',
  furtherNumbers: 'Other numbers',
  remove: (number: string) => `Remove ${number}`,
  removed: 'Number removed.',
})
