import type { Tx } from '../../platform/db/database.ts'

export async function insertDevice(
  tx: Tx,
  employeeId: string,
  { name, username, password_sealed }: { name: string; username: string; password_sealed: Buffer },
) {
  const [row] = await tx<{ id: string }[]>`
    insert into devices (company_id, employee_id, name, username, password_sealed)
    select company_id, id, ${name}, ${username}, ${password_sealed} from employees where id = ${employeeId}
    returning id`
  return row?.id
}
