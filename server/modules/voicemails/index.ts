export { recordVoicemailEvent } from './events.ts'
export { saveVoicemail } from './save.ts'
export { voicemailRoutes } from './routes.ts'
