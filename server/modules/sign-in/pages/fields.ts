import { field } from '../../../platform/http/layout.ts'

type Given = Omit<Parameters<typeof field>[0], 'name' | 'type' | 'autocomplete'>

/** The address that an employee signs in with. */
export const emailField = (given: Given) =>
  field({ ...given, name: 'email', type: 'email', autocomplete: 'username' })

export const currentPasswordField = ({ name = 'password', ...given }: Given & { name?: string }) =>
  field({ ...given, name, type: 'password', autocomplete: 'current-password' })

/** A code of the authenticator app; or, where a longer one fits, a recovery code. */
export const codeField = (given: Given) => field({ ...given, name: 'code', autocomplete: 'one-time-code' })
