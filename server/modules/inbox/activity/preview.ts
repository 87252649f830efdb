const PREVIEW_CHARACTERS = 160

/** On one line, and short. */
export function previewOf(text: string): string {
  return Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, PREVIEW_CHARACTERS).join('')
}

/** What stands for an item of which there is nothing to read. */
export function labelOf(type: 'call' | 'voicemail' | 'message', incoming: boolean, missed: boolean): string {
  if (type === 'voicemail') return 'Voicemail'
  if (type === 'message') return ''
  if (missed) return 'Missed call'
  return incoming ? 'Incoming call' : 'Outgoing call'
}
