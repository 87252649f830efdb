import type { Database } from '../../platform/db/database.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { readCompany, renameCompany, updateCompany } from './company.ts'
import { Company, CompanyName, CompanyUpdate } from './schemas.ts'

export const companyRoutes = ({ db }: { db: Database }): Route[] => [
  route(
    {
      method: 'GET',
      path: '/company',
      name: 'get_company',
      summary: 'Read the company',
      reply: { 200: Company },
    },
    ({ actor }) => readCompany(db.sql, actor),
  ),
  route(
    {
      method: 'PATCH',
      path: '/company',
      name: 'update_company',
      summary: 'Change the company',
      body: CompanyUpdate,
      example: { city: 'Aarhus', zip: '8000' },
      toolSet: 'administration',
      reply: { 200: Company },
    },
    ({ actor, body }) => db.tx((tx) => updateCompany(tx, actor, body)),
  ),
  route(
    {
      method: 'PUT',
      path: '/company/name',
      name: 'rename_company',
      summary: 'Change the name of the company',
      body: CompanyName,
      example: { name: 'Nordlys Cykler' },
      toolSet: 'administration',
      reply: { 200: Company },
    },
    ({ actor, body }) => db.tx((tx) => renameCompany(tx, actor, body.name)),
  ),
]
