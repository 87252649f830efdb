import { z } from 'zod'

import type { Dependencies } from '../../platform/dependencies.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Id } from '../../platform/ids.ts'
import { findPhoneErrors } from '../company/index.ts'
import { DoNotDisturb, DoNotDisturbUpdate, readDoNotDisturb, setDoNotDisturb } from './do-not-disturb.ts'
import {
  deleteEmployee,
  inviteNewEmployee,
  listEmployees,
  readEmployee,
  resendInvitation,
  updateEmployee,
} from './employees.ts'
import { extensionRoutes } from './extensions/routes.ts'
import { Employee, EmployeeCreate, EmployeeUpdate } from './schemas.ts'

const params = z.object({ id: Id('emp') })

const tooManyEmails = {
  when: 'Too many e-mails were requested: `rate_limited`. `Retry-After` says when to try again.',
}

export const employeeRoutes = ({ db, clock }: Dependencies<'db' | 'clock'>): Route[] => [
  ...extensionRoutes({ db }),
  route(
    {
      method: 'GET',
      path: '/employees',
      name: 'list_employees',
      summary: 'List the employees',
      reply: { 200: z.object({ employees: z.array(Employee) }) },
    },
    async ({ actor }) => ({ employees: await listEmployees(db.sql, actor) }),
  ),
  route(
    {
      method: 'POST',
      path: '/employees',
      name: 'create_employee',
      summary: 'Add an employee and send the invitation e-mail',
      body: EmployeeCreate,
      findMoreErrors: findPhoneErrors(db, 'phone'),
      example: { name: 'Bo Lund', email: 'bo@example.com' },
      toolSet: 'administration',
      reply: { 201: Employee },
      refusals: { 429: tooManyEmails },
    },
    ({ actor, body, address }) => db.tx((tx) => inviteNewEmployee(tx, { clock, address, ...actor }, body)),
  ),
  route(
    {
      method: 'POST',
      path: '/employees/:id/invitation',
      name: 'resend_invitation',
      summary: 'Send the invitation e-mail again; its new link replaces the earlier one',
      params,
      toolSet: 'administration',
      reply: { 204: null },
      refusals: {
        409: { when: 'The employee has accepted it: `invitation_accepted`.' },
        429: tooManyEmails,
      },
    },
    ({ actor, params, address }) =>
      db.tx((tx) => resendInvitation(tx, { clock, address, companyId: actor.companyId }, params.id)),
  ),
  route(
    {
      method: 'GET',
      path: '/employees/:id',
      name: 'get_employee',
      summary: 'Read an employee',
      params,
      reply: { 200: Employee },
    },
    ({ actor, params }) => readEmployee(db.sql, actor, params.id),
  ),
  route(
    {
      method: 'PATCH',
      path: '/employees/:id',
      name: 'update_employee',
      summary: 'Change an employee',
      params,
      body: EmployeeUpdate,
      findMoreErrors: findPhoneErrors(db, 'phone'),
      example: { phone: '+4520123456' },
      toolSet: 'administration',
      reply: { 200: Employee },
      refusals: { 429: tooManyEmails },
    },
    ({ actor, params, body, address }) =>
      db.tx((tx) => updateEmployee(tx, { clock, address, ...actor }, params.id, body)),
  ),
  route(
    {
      method: 'DELETE',
      path: '/employees/:id',
      name: 'delete_employee',
      summary: 'Remove an employee with their devices and API keys',
      params,
      toolSet: 'administration',
      reply: { 204: null },
      refusals: {
        403: { when: 'The request acts as this employee: `creator_of_key_in_use`.' },
        409: { when: 'It is the last employee: `last_employee`.' },
        422: {
          when: 'Call flows ring the employee: `employee_is_call_target`.',
          body: z.object({ business_numbers: z.array(z.object({ id: Id('num'), name: z.string() })) }),
        },
      },
    },
    ({ actor, params }) => db.tx((tx) => deleteEmployee(tx, actor, params.id)),
  ),
  route(
    {
      method: 'GET',
      path: '/employees/:id/do_not_disturb',
      name: 'get_do_not_disturb',
      summary: 'Read do-not-disturb, and which numbers nobody else would answer',
      params,
      reply: { 200: DoNotDisturb },
    },
    ({ actor, params }) => readDoNotDisturb(db.sql, actor, params.id),
  ),
  route(
    {
      method: 'PUT',
      path: '/employees/:id/do_not_disturb',
      name: 'set_do_not_disturb',
      summary: 'Switch do-not-disturb on or off',
      params,
      body: DoNotDisturbUpdate,
      example: { enabled: true },
      reply: { 200: Employee },
    },
    ({ actor, params, body }) => db.tx((tx) => setDoNotDisturb(tx, clock, actor, params.id, body)),
  ),
]
