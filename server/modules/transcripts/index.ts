export { orderTranscript, withdrawTranscript } from './orders.ts'
