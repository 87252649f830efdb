export { voicemailRoutes } from './routes.ts'
