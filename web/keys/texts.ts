import { texts } from '../i18n/language.tsx'

export const keyTexts = texts('key', {
  title: 'Keyboard shortcuts',
  palette: 'Go to anybody and anything',
  search: 'Search on this page',
  next: 'Next in the list',
  previous: 'Previous in the list',
  list: 'This list',
  anywhere: 'Everywhere',
  inbox: 'In a conversation',
  done: 'Done, or reopen',
  snooze: 'Snooze',
  assign: 'Assign',
  note: 'Write a note',
  text: 'In a text (see your menu for Ctrl + Enter)',
  send: 'Send',
  newLine: 'New line',
  phone: 'In the phone',
  answer: 'Answer',
  hangUp: 'Decline or hang up',
  mute: 'Mute',
  hold: 'Hold',
})
