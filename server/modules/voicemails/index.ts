export { recordVoicemailEvent } from './events.ts'
export { storeVoicemail } from './recordings.ts'
export { voicemailRoutes } from './routes.ts'
export { voicemailTranscripts } from './transcript.ts'
