/** The owner of a table: only this module writes it, and only this module reads it, except for `reads` and `writes`. */
export interface Owned {
  owner: string
  /** Other modules that read it in a statement of their own, each with the reason. */
  reads?: Record<string, string>
  /** Other modules that update a column of it, each with the reason. */
  writes?: Record<string, { column: string; why: string }>
}

const NAMES = 'rows name who and what they are about: a second query for each list or event would cost more'
const INBOX = 'a page of the inbox is one statement, however many kinds of items it has'
const PHONES = 'the list of phones names what made each of them, in one statement'
const BELOW = 'it cannot call the owner, which imports it'

/** Every table of db/schema.sql. docs/data.md is generated from this. */
export const TABLES: Record<string, Owned> = {
  api_key_uses: { owner: 'api-keys' },
  api_keys: { owner: 'api-keys', reads: { devices: PHONES } },
  attempts: { owner: 'sign-in' },
  auto_replies: { owner: 'messages' },
  business_numbers: {
    owner: 'numbers',
    reads: {
      calls: NAMES,
      employees: `whom a number rings cannot be deleted; ${BELOW}`,
      inbox: INBOX,
      messages: NAMES,
      voicemails: NAMES,
    },
  },
  call_contexts: { owner: 'context' },
  call_employees: { owner: 'calls', reads: { inbox: INBOX } },
  call_meanings: { owner: 'calls' },
  call_meanings_due: { owner: 'calls' },
  call_offers: { owner: 'queue' },
  call_queue: { owner: 'queue' },
  call_slices: { owner: 'calls' },
  call_targets: {
    owner: 'numbers',
    reads: { employees: `whom a number rings cannot be deleted; ${BELOW}` },
  },
  caller_lookups: { owner: 'context' },
  calls: {
    owner: 'calls',
    reads: {
      context: `context is kept only with a call that there is; ${BELOW}`,
      edges: `a command goes to the edge that holds the call; ${BELOW}`,
      inbox: INBOX,
    },
  },
  companies: {
    owner: 'company',
    reads: {
      inbox: INBOX,
      messages: NAMES,
      numbers: 'a number is read for every call, with the country and the settings of its company',
      'sign-in': 'the session is read for every request of the dashboard, in one statement',
    },
  },
  company_jobs: { owner: 'platform' },
  contact_doubles: { owner: 'contacts' },
  contact_slices: { owner: 'contacts' },
  contact_words: { owner: 'contacts' },
  contacts: { owner: 'contacts', reads: { inbox: INBOX } },
  device_registrations: { owner: 'devices' },
  devices: {
    owner: 'devices',
    reads: {
      'sign-in': `a session that made phones goes after them; ${BELOW}`,
    },
  },
  edge_commands: { owner: 'edges' },
  edges: {
    owner: 'edges',
    reads: { devices: 'where a phone is reached is read for every call that rings it' },
  },
  email_changes: { owner: 'employees' },
  employees: {
    owner: 'employees',
    reads: {
      messages: NAMES,
      queue: `who is free is found in one statement with the queue held; ${BELOW}`,
      'sign-in': 'the session is read for every request of the dashboard, in one statement',
    },
    writes: {
      queue: { column: 'told_status', why: 'the update that sets it returns the employee, who is published' },
    },
  },
  events: { owner: 'webhooks' },
  extensions: { owner: 'employees' },
  external_number_ends: { owner: 'inbox' },
  external_numbers: {
    owner: 'inbox',
    reads: { messages: `a sender without a number cannot be texted; ${BELOW}` },
  },
  favourites: { owner: 'favourites' },
  former_employees: { owner: 'employees' },
  inbox_items: { owner: 'inbox' },
  inbox_threads: { owner: 'inbox' },
  integrations: { owner: 'context' },
  internal_calls: { owner: 'calls', reads: { queue: `what rings at an employee is withdrawn; ${BELOW}` } },
  invitations: { owner: 'employees' },
  letter_paces: { owner: 'emails' },
  meaning_cells: { owner: 'calls' },
  message_attempts: { owner: 'messages' },
  messages: { owner: 'messages', reads: { inbox: INBOX } },
  note_mentions: { owner: 'inbox' },
  oauth_access_tokens: { owner: 'oauth' },
  oauth_clients: { owner: 'oauth', reads: { devices: PHONES } },
  oauth_codes: { owner: 'oauth' },
  oauth_grant_uses: { owner: 'oauth' },
  oauth_grants: { owner: 'oauth', reads: { devices: PHONES } },
  oauth_refresh_tokens: { owner: 'oauth' },
  onboarding_dismissals: { owner: 'onboarding' },
  outside_transfers: { owner: 'calls' },
  parked_calls: { owner: 'calls' },
  password_resets: { owner: 'employees' },
  prompt_places: { owner: 'numbers' },
  prompts: { owner: 'numbers' },
  provisioning_links: { owner: 'devices' },
  push_alerts: { owner: 'push' },
  push_subscriptions: { owner: 'push' },
  recovery_codes: { owner: 'sign-in' },
  schema_migrations: { owner: 'platform' },
  sessions: { owner: 'sign-in', reads: { devices: PHONES } },
  text_snippets: { owner: 'snippets' },
  texting_settings: { owner: 'numbers' },
  thread_notes: { owner: 'inbox' },
  thread_writers: { owner: 'inbox' },
  transcript_orders: { owner: 'transcripts' },
  transcript_turns: { owner: 'transcripts' },
  transfers: { owner: 'calls', reads: { queue: `what rings at an employee is withdrawn; ${BELOW}` } },
  two_factors: { owner: 'sign-in' },
  voice_previews: { owner: 'numbers' },
  voicemails: {
    owner: 'voicemails',
    reads: {
      calls: `whether a call that ends has a voicemail is found in the update that ends it; ${BELOW}`,
      inbox: INBOX,
    },
  },
  waveforms: { owner: 'waveforms' },
  webhook_deliveries: { owner: 'webhooks' },
  webhook_subscriptions: { owner: 'webhooks' },
}
