export { recordVoicemailEvent } from './events.ts'
export { voicemailRoutes } from './routes.ts'
