import { ApiError } from '../../api/client.ts'
import { type ContactInput, createContact, findContacts, updateContact } from '../../api/contacts.ts'

/** Adds a contact, or updates the one with the same number, in any notation. */
export async function saveContact(contact: ContactInput): Promise<'added' | 'changed'> {
  try {
    await createContact(contact)
    return 'added'
  } catch (error) {
    const known = isRefused(error, 'phone') ? (await findContacts(contact.phone))[0] : undefined
    if (!known) throw error
    await updateContact(known.id, contact)
    return 'changed'
  }
}

const isRefused = (error: unknown, field: string) => error instanceof ApiError && field in error.fields
