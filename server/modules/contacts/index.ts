export { contactRoutes } from './routes.ts'
export { createContact } from './contacts.ts'
