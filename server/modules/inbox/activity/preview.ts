const PREVIEW_CHARACTERS = 160

/** One short line. */
export function previewOf(text: string): string {
  return Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, PREVIEW_CHARACTERS).join('')
}

/** The label of an item without text. */
export function itemLabelOf(
  type: 'call' | 'voicemail' | 'message',
  incoming: boolean,
  missed: boolean,
): string {
  if (type === 'voicemail') return 'Voicemail'
  if (type === 'message') return ''
  if (missed) return 'Missed call'
  return incoming ? 'Incoming call' : 'Outgoing call'
}
