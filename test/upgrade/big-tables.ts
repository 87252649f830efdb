/** Tables that grow with calls, texts and events: in a large installation they have millions of rows. */
export const BIG_TABLES = [
  'calls',
  'call_contexts',
  'call_employees',
  'call_meanings',
  'voicemails',
  'waveforms',
  'messages',
  'message_attempts',
  'contacts',
  'contact_words',
  'external_numbers',
  'external_number_ends',
  'inbox_items',
  'inbox_threads',
  'events',
  'webhook_deliveries',
]
