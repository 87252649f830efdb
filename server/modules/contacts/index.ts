export { createContact, findContactByPhone, learnContact } from './contacts.ts'
export { contactNameOf } from './queries.ts'
export { contactRoutes } from './routes.ts'
export { Contact } from './schemas.ts'
