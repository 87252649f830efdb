import { OAuthError } from '../errors.ts'

/** The parameters of a query or a form, where a name may be repeated. */
export type Parameters = URLSearchParams

/** RFC 8707: a client may name several resources. */
const REPEATABLE = new Set(['resource'])

export function refuseRepeatedParameters(parameters: Parameters): void {
  const seen = new Set<string>()
  for (const name of parameters.keys()) {
    if (seen.has(name) && !REPEATABLE.has(name)) throw repeated(name)
    seen.add(name)
  }
}

/** The single value of a parameter; an empty value counts as missing (RFC 6749 §3.1). */
export function requireParameter(parameters: Parameters, name: string): string {
  const [value, ...more] = parameters.getAll(name)
  if (more.length > 0) throw repeated(name)
  if (!value) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
  return value
}

const repeated = (name: string) =>
  new OAuthError('invalid_request', `The parameter ${shown(name)} stands more than once.`)

/** An unusual name is not repeated in the error. */
const shown = (name: string) => (/^[a-z_]{1,32}$/.test(name) ? name : 'of an unknown name')
