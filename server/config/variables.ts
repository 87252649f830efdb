import { z } from 'zod'

import { OperatorError } from '../platform/errors.ts'

export type Environment = Record<string, string | undefined>

/** The schema of a variable, and a description of the values it accepts. */
export type Setting = [z.ZodType, string]

type Table = Record<string, Setting>

type Values<T extends Table> = { [Name in keyof T]: z.output<T[Name][0]> }

/** The variables of one subject. */
export function variables<T extends Table>(table: T) {
  type Name = keyof T & string
  return {
    table,
    read(environment: Environment): Values<T> {
      const values = Object.entries(table).map(([name, [schema, accepts]]) => {
        // An empty variable counts as unset, as in a .env file that was not filled in.
        const result = schema.safeParse(environment[name] || undefined)
        if (!result.success) throw new OperatorError(`${name} must be ${accepts}.`)
        return [name, result.data]
      })
      return Object.fromEntries(values) as Values<T>
    },
    /** All of them or none: an incomplete bucket would silently leave recordings in the data folder. */
    together<N extends Name>(
      values: Record<N, string | undefined>,
      names: N[],
      wanted?: string,
    ): Record<N, string> | undefined {
      const given = names.find((name) => values[name] !== undefined)
      const reason = wanted ?? (given && `${given} is set`)
      if (!reason) return undefined
      for (const name of names)
        if (values[name] === undefined)
          throw new OperatorError(`${name} must be ${table[name]![1]}, as ${reason}.`)
      return values as Record<N, string>
    },
  }
}

export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
}

/** A description of the accepted values. */
export const PORT_DESCRIPTION = 'a port from 1 to 65535, or 0 for any free one'

export const OWN_ADDRESS = 'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them'

/** Separated by commas. */
export function list() {
  return z.string().transform((text) => text.split(',').map((one) => one.trim()))
}

export function address(...protocols: string[]) {
  return z.string().refine((text) => {
    const [scheme] = text.split('//', 1)
    return URL.canParse(text) && protocols.includes(scheme!.toLowerCase())
  })
}

/** As libpq reads it: with one host or several. Bellhop writes, so it has no use for a standby. */
export function databaseAddress() {
  return z.string().refine((text) => {
    const [, before, hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^/?@]*@)?)([^/?]*)(.*)$/is.exec(text) ?? []
    if (!/^postgres(ql)?:/i.test(text) || before === undefined) return false
    if (!hosts.split(',').every((host) => URL.canParse(before + host + after))) return false
    const wanted = new URLSearchParams(after.split('?')[1]).get('target_session_attrs') ?? 'any'
    return ['any', 'read-write', 'primary'].includes(wanted)
  })
}

/** A URL to which paths are appended. */
export function baseAddress() {
  return address('http:', 'https:')
    .refine((text) => !/[?#@]/.test(text))
    .transform((text) => text.replace(/\/+$/, ''))
}
