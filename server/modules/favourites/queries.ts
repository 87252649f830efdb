import type { Queryable, Tx } from '../../platform/db/database.ts'
import { firstRow, hasRow, oneValue } from '../../platform/db/rows.ts'
import { contactNameOf } from '../contacts/index.ts'
import { employeesEver } from '../employees/index.ts'
import type { Favourite } from './schemas.ts'

export interface FavouriteOwner {
  companyId: string
  employeeId: string
}

const columns = (sql: Queryable) => sql`
  f.id, f.phone,
  ${contactNameOf(sql, sql`f.company_id`, sql`f.phone`)} as contact_name,
  case when f.coworker_id is not null
    then json_build_object('id', f.coworker_id, 'name', coalesce(coworker.name, '')) end as employee`
const tables = (sql: Queryable) => sql`
  favourites f
  left join ${employeesEver(sql)} coworker on coworker.company_id = f.company_id and coworker.id = f.coworker_id`

/** In the order in which they were added. */
export function selectFavourites(sql: Queryable, { companyId, employeeId }: FavouriteOwner) {
  return sql<Favourite[]>`
    select ${columns(sql)} from ${tables(sql)}
    where f.company_id = ${companyId} and f.employee_id = ${employeeId} order by f.id`
}

/** The favourite for a number or a coworker. */
export function selectFavouriteFor(
  sql: Queryable,
  { companyId, employeeId }: FavouriteOwner,
  { phone, coworkerId }: { phone: string | null; coworkerId: string | null },
) {
  return firstRow(sql<Favourite[]>`
    select ${columns(sql)} from ${tables(sql)}
    where f.company_id = ${companyId} and f.employee_id = ${employeeId}
      and (f.phone = ${phone} or f.coworker_id = ${coworkerId})`)
}

export function countFavourites(sql: Queryable, { companyId, employeeId }: FavouriteOwner) {
  return oneValue(sql<{ count: number }[]>`
    select count(*)::int as count from favourites
    where company_id = ${companyId} and employee_id = ${employeeId}`)
}

/** False if the employee has it already. */
export function insertFavourite(
  tx: Tx,
  { companyId, employeeId }: FavouriteOwner,
  { phone, coworkerId }: { phone: string | null; coworkerId: string | null },
) {
  return hasRow(tx`
    insert into favourites (company_id, employee_id, phone, coworker_id)
    values (${companyId}, ${employeeId}, ${phone}, ${coworkerId})
    on conflict do nothing returning id`)
}

export function deleteFavouriteRow(tx: Tx, { companyId, employeeId }: FavouriteOwner, id: string) {
  return hasRow(tx`
    delete from favourites
    where company_id = ${companyId} and employee_id = ${employeeId} and id = ${id} returning id`)
}
