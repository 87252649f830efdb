import type { Context, ProviderContact } from '../../../providers/context/port.ts'

/** Who the caller is: each field from the first context that has it. Contacts without a name do not count. */
export function mergeIdentities(contexts: Context[]): ProviderContact | null {
  const known = contexts.flatMap(({ contact }) => (contact?.name ? [contact] : []))
  const [first] = known
  if (!first) return null
  const firstOf = (field: 'email' | 'company_name' | 'note') =>
    known.map((contact) => contact[field]).find((value) => value !== null) ?? null
  return {
    name: first.name,
    email: firstOf('email'),
    company_name: firstOf('company_name'),
    note: firstOf('note'),
  }
}
