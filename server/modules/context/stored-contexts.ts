import type { Context } from '../../providers/context/port.ts'

// A missing name is stored as an empty one: processes of 0.1, which may run beside this one, read no null there.

/** As they are stored. */
export const storeContexts = (contexts: Context[]): Context[] => contexts.map((each) => withName(each, ''))

/** As they were before. */
export const readContexts = (stored: Context[]): Context[] => stored.map((each) => withName(each, null))

/** With this in place of a name that is not there. */
const withName = (context: Context, absent: '' | null): Context =>
  context.contact && !context.contact.name
    ? { ...context, contact: { ...context.contact, name: absent } }
    : context
