import { z } from 'zod'

import { Call } from './modules/calls/schemas.ts'
import { Contact } from './modules/contacts/schemas.ts'
import { Employee } from './modules/employees/schemas.ts'
import { Message } from './modules/messages/schemas.ts'
import { REGISTRATION_STATUSES } from './modules/numbers/schemas.ts'
import { Id } from './platform/ids.ts'
import { Timestamp } from './platform/schemas.ts'

/** Events name the business number of a call differently than responses of the API do. */
const {
  main_number: number,
  main_number_formatted: formatted,
  initiated_by,
  // Of no use in an event: they may have changed by the time it is read, and notes are internal.
  transcription_status: _status,
  contact_name: _name,
  wrap_up: _wrapUp,
  ...call
} = Call.shape
const CallData = z
  .object({
    ...call,
    main_number_number: number,
    main_number_number_formatted: formatted,
    call_control_id: z.string(),
    initiated_by: initiated_by.unwrap().meta({ description: 'Null on inbound calls.' }),
  })
  .meta({ id: 'CallEventData' })
export type CallData = z.output<typeof CallData>

const VoicemailData = CallData.extend({
  voicemail: z.object({
    id: Id('voi'),
    from: z.string(),
    main_number_name: z.string(),
    main_number_number: z.string(),
    transcription: z.string().nullable(),
    created_at: Timestamp,
  }),
}).meta({ id: 'VoicemailEventData' })
export type VoicemailData = z.output<typeof VoicemailData>

const ContactData = z.object({ contact: Contact })
const MessageData = z.object({ message: Message })
const RegistrationData = z.object({
  main_number: z.object({
    id: Id('num'),
    number: z.string(),
    registration_status: z.enum(REGISTRATION_STATUSES),
  }),
})

/** Every event that webhooks can subscribe to: when it is sent, and its data. */
export const EVENTS = {
  'call.initiated': { when: 'A call starts; nobody has answered it yet.', data: CallData },
  'call.outside_business_hours': {
    when: 'A call comes in outside the business hours of its number.',
    data: CallData,
  },
  'call.queued': { when: 'The caller joins the queue, once per call.', data: CallData },
  'call.answered': { when: 'An employee answers.', data: CallData },
  'call.ended': { when: 'The call is over: answered, missed or rejected.', data: CallData },
  'call.lost': { when: 'The call ended unanswered and without a voicemail.', data: CallData },
  'call.transcription_done': { when: 'The recording has been transcribed.', data: CallData },
  'voicemail.new': { when: 'A voicemail has been recorded and saved.', data: VoicemailData },
  'voicemail.transcription_done': { when: 'The voicemail has been transcribed.', data: VoicemailData },
  'contact.created': { when: 'A contact was added.', data: ContactData },
  'contact.updated': { when: 'A contact was edited. The data has the new values.', data: ContactData },
  'contact.deleted': { when: 'A contact was removed. The data has its last values.', data: ContactData },
  'employee.status.changed': {
    when: "An employee's presence changed, or do-not-disturb was switched.",
    data: z.object({ employee: Employee }),
  },
  'number.registration_approved': { when: "A number's registration was approved.", data: RegistrationData },
  'number.registration_rejected': {
    when: "A number's registration was rejected.",
    data: RegistrationData.extend({ reason: z.string() }),
  },
  'message.received': { when: 'A text came in.', data: MessageData },
  'message.status_changed': {
    when: 'The status of an outgoing text changed: accepted, delivered, failed, unknown, or queued by a retry.',
    data: MessageData,
  },
} as const

export type EventName = keyof typeof EVENTS
export type EventData<Name extends EventName> = z.output<(typeof EVENTS)[Name]['data']>

export const EVENT_NAMES = Object.keys(EVENTS) as [EventName, ...EventName[]]

/** A subscription that was created with an older name receives events under that name. */
export const OLDER_EVENT_NAMES = { 'call.outside_opening_hours': 'call.outside_business_hours' } as const
