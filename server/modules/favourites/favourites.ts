import { publishToCompany } from '../../live.ts'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { AppError, fail, fieldError, notFound } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http/route.ts'
import { normalizePhone } from '../../platform/text/phone.ts'
import { companyCountry } from '../company/index.ts'
import { findEmployee, lockEmployeeRow } from '../employees/index.ts'
import { FAVOURITE_LIMITS } from './limits.ts'
import {
  countFavourites,
  deleteFavouriteRow,
  insertFavourite,
  selectFavouriteFor,
  selectFavourites,
} from './queries.ts'
import type { Favourite, FavouriteCreate } from './schemas.ts'

const tooManyFavourites = () =>
  new AppError({
    status: 422,
    code: 'too_many_favourites',
    message: `An employee has at most ${FAVOURITE_LIMITS.perEmployee} favourites. Remove one first.`,
  })

export async function listFavourites(sql: Queryable, actor: Actor): Promise<Favourite[]> {
  return selectFavourites(sql, actor)
}

/** Adding one again changes nothing. */
export async function addFavourite(tx: Tx, actor: Actor, input: FavouriteCreate): Promise<Favourite> {
  const { companyId, employeeId } = actor
  const wanted = await readTarget(tx, actor, input)
  // Two requests at once must not exceed the limit.
  await lockEmployeeRow(tx, companyId, employeeId)
  const known = await selectFavouriteFor(tx, actor, wanted)
  if (known) return known
  if ((await countFavourites(tx, actor)) >= FAVOURITE_LIMITS.perEmployee) throw tooManyFavourites()
  await insertFavourite(tx, actor, wanted)
  await publishToCompany(tx, companyId, { type: 'favourites_update', employee_id: employeeId })
  return (await selectFavouriteFor(tx, actor, wanted)) ?? fail(notFound())
}

export async function removeFavourite(tx: Tx, actor: Actor, id: string): Promise<void> {
  const { companyId, employeeId } = actor
  if (!(await deleteFavouriteRow(tx, actor, id))) throw notFound()
  await publishToCompany(tx, companyId, { type: 'favourites_update', employee_id: employeeId })
}

async function readTarget(tx: Tx, { companyId, employeeId }: Actor, { phone, employee_id }: FavouriteCreate) {
  if ((phone === undefined) === (employee_id === undefined))
    throw fieldError('base', 'must have either a phone or an employee_id')
  if (phone !== undefined) {
    const number = normalizePhone(phone, await companyCountry(tx, companyId))
    return { phone: number ?? fail(fieldError('phone', 'is not a phone number')), coworkerId: null }
  }
  if (employee_id === employeeId) throw fieldError('employee_id', 'must be another employee')
  const coworker = (await findEmployee(tx, companyId, employee_id!)) ?? fail(notFound())
  return { phone: null, coworkerId: coworker.id }
}
