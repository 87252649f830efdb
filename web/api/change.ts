import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'

import { useToast } from '../ui/toast.tsx'
import { ApiError } from './client.ts'

interface Options<Out, In> {
  /** The beginnings of the keys whose queries are read again. */
  touches: QueryKey[]
  /** Said when it worked. */
  said?: string | ((out: Out) => string)
  onDone?(out: Out, input: In): void
  /** A form shows what is wrong with its fields itself. */
  quietAbout?(error: ApiError): boolean
}

/** A change through the API: says what came of it, and reads again what it touches. */
export function useChange<Out, In = void>(
  change: (input: In) => Promise<Out>,
  { touches, said, onDone, quietAbout }: Options<Out, In>,
) {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation<Out, Error, In>({
    mutationFn: change,
    onSuccess: async (out, input) => {
      if (said) toast({ tone: 'good', text: typeof said === 'string' ? said : said(out) })
      onDone?.(out, input)
      await Promise.all(touches.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
    onError: (error) => {
      if (error instanceof ApiError && quietAbout?.(error)) return
      toast({ tone: 'wrong', text: error.message })
    },
  })
}

/** What the API says is wrong with a field, if that is why it refused. */
export function fieldError(error: Error | null, field: string): string | undefined {
  return error instanceof ApiError ? error.fields[field]?.join(' · ') : undefined
}

export const isFieldError = (error: ApiError) => Object.keys(error.fields).length > 0
