/** Every event that a webhook can be subscribed to. */
export const EVENT_NAMES = [
  'call.initiated',
  'call.outside_business_hours',
  'call.queued',
  'call.answered',
  'call.ended',
  'call.lost',
  'call.transcription_done',
  'voicemail.new',
  'voicemail.transcription_done',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'employee.status.changed',
  'number.registration_approved',
  'number.registration_rejected',
  'message.received',
  'message.status_changed',
] as const

/** Subscriptions made under an older name keep it in what they receive. */
export const OLDER_EVENT_NAMES = { 'call.outside_opening_hours': 'call.outside_business_hours' } as const
