import type { Command } from 'commander'
import { ZodError } from 'zod'

import { AppError, type FieldErrors, fieldErrors, validationFailed } from '../server/platform/errors.ts'

/** The domain names the invalid field; the operator knows the option it came from. */
export function nameOptionInError(command: Command, error: unknown): unknown {
  const errors = faultsOf(error)
  if (!errors) return error
  const renamed = Object.entries(errors).map(([field, messages]) => [optionOf(command, field), messages])
  return validationFailed(Object.fromEntries(renamed) as FieldErrors)
}

function faultsOf(error: unknown): FieldErrors | undefined {
  if (error instanceof ZodError) return fieldErrors(error)
  return error instanceof AppError ? (error.body.errors as FieldErrors | undefined) : undefined
}

/** `redirect_uris.0` is --redirect-uri, and `incoming.type` the type within --incoming. */
function optionOf(command: Command, field: string): string {
  const [first = '', ...rest] = field.split('.')
  const name = `--${first.replaceAll('_', '-')}`
  const option = command.options.find(({ long }) => long === name || `${long}s` === name)
  return option ? [option.long, ...rest.filter((part) => !/^\d+$/.test(part))].join(' ') : field
}
