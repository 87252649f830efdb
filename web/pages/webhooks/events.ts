import type { EventName } from '../../api/webhooks.ts'

/** Every event of docs/webhooks.md, without older names; a missing one does not compile. */
const ALL: Record<Exclude<EventName, 'call.outside_opening_hours'>, true> = {
  'call.initiated': true,
  'call.outside_business_hours': true,
  'call.queued': true,
  'call.answered': true,
  'call.ended': true,
  'call.lost': true,
  'call.transcription_done': true,
  'voicemail.new': true,
  'voicemail.transcription_done': true,
  'contact.created': true,
  'contact.updated': true,
  'contact.deleted': true,
  'employee.status.changed': true,
  'number.registration_approved': true,
  'number.registration_rejected': true,
  'message.received': true,
  'message.status_changed': true,
}

export const EVENTS = Object.keys(ALL) as EventName[]
