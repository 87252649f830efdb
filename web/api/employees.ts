import { queryOptions } from '@tanstack/react-query'

import { answerOf, client } from './client.ts'
import type { components } from './schema.ts'

export type Employee = components['schemas']['Employee']

export const employeesQuery = () =>
  queryOptions({
    queryKey: ['employees'],
    queryFn: async () => (await answerOf(client.GET('/api/v1/employees', {}))).employees,
  })

const at = (id: string) => ({ params: { path: { id } } })

export interface EmployeeInput {
  name: string
  email: string
  phone?: string | null
}

export const inviteEmployee = (body: EmployeeInput) => answerOf(client.POST('/api/v1/employees', { body }))

export const resendInvitation = (id: string) =>
  answerOf(client.POST('/api/v1/employees/{id}/invitation', at(id)))

export const updateEmployee = (id: string, body: Partial<EmployeeInput>) =>
  answerOf(client.PATCH('/api/v1/employees/{id}', { ...at(id), body }))

export const deleteEmployee = (id: string) => answerOf(client.DELETE('/api/v1/employees/{id}', at(id)))

/** Includes the numbers that nobody else would answer. */
export const doNotDisturbOf = (id: string) =>
  answerOf(client.GET('/api/v1/employees/{id}/do_not_disturb', at(id)))

export const setDoNotDisturb = (input: { id: string; enabled: boolean; expires_at?: string | null }) => {
  const { id, ...body } = input
  return answerOf(client.PUT('/api/v1/employees/{id}/do_not_disturb', { ...at(id), body }))
}
