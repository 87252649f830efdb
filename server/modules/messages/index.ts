export { type MessageReader, readMessages, readPreviews } from './present.ts'
export { Message, MESSAGE_STATUSES, MicroTimestamp } from './schemas.ts'
export type { NoteStored, StoredMessage } from './stored.ts'
