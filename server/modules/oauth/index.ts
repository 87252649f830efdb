export { registerFirstPartyClient } from './clients.ts'
