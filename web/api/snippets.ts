import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type Snippet = components['schemas']['TextSnippet']

export const snippetsQuery = () =>
  queryOptions({ queryKey: ['snippets'], queryFn: () => answerOf(client.GET('/api/v1/text_snippets', {})) })

const at = (id: string) => ({ params: { path: { id } } })

export interface SnippetInput {
  title: string
  text: string
  position?: number
}

export const createSnippet = (body: SnippetInput) => answerOf(client.POST('/api/v1/text_snippets', { body }))

export const updateSnippet = (id: string, body: Partial<SnippetInput>) =>
  answerOf(client.PATCH('/api/v1/text_snippets/{id}', { ...at(id), body }))

export const deleteSnippet = (id: string) => answerOf(client.DELETE('/api/v1/text_snippets/{id}', at(id)))
