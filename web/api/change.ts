import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

import { askAgain } from '../connection/signed-out.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useToast } from '../ui/toast.tsx'
import { ApiError } from './client.ts'

interface Options<Out, In> {
  /** The prefixes of query keys to refetch. */
  touches: QueryKey[]
  /** Shown after a success. */
  said?: string | ((out: Out) => string)
  onDone?(out: Out, input: In): void
  /** A form shows errors of its fields itself, and not everything was asked for by a person. */
  quietAbout?(error: Error): boolean
}

/** A change through the API: shows the outcome, and refetches what it affects. */
export function useChange<Out, In = void>(
  change: (input: In) => Promise<Out>,
  { touches, said, onDone, quietAbout }: Options<Out, In>,
) {
  const queries = useQueryClient()
  const toast = useToast()
  const errorText = useErrorText()
  return useMutation<Out, Error, In>({
    mutationFn: change,
    onSuccess: async (out, input) => {
      if (said) toast({ tone: 'good', text: typeof said === 'string' ? said : said(out) })
      onDone?.(out, input)
      await Promise.all(touches.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) askAgain()
      if (quietAbout?.(error)) return
      toast({ tone: 'wrong', text: errorText(error) })
    },
  })
}

/** `base` is about the whole request, so no field shows it. */
export const isFieldError = (error: Error) =>
  error instanceof ApiError && Object.keys(error.fields).some((field) => field !== 'base')
