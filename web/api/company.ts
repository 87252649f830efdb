import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type Company = components['schemas']['Company']

export const companyQuery = () =>
  queryOptions({ queryKey: ['company'], queryFn: () => answerOf(client.GET('/api/v1/company', {})) })

export const updateCompany = (body: Partial<Omit<Company, 'id' | 'name'>>) =>
  answerOf(client.PATCH('/api/v1/company', { body }))

export const renameCompany = (name: string) =>
  answerOf(client.PUT('/api/v1/company/name', { body: { name } }))
