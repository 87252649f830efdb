import { EMPLOYEE_DELETED_CHANNEL, findFormerEmployees } from '../../modules/employees/index.ts'
import { inBackground } from '../../platform/background.ts'
import type { Database } from '../../platform/db/database.ts'
import type { PubSub } from '../../platform/db/pubsub.ts'
import type { Log } from '../../platform/log.ts'
import type { CallControl } from '../port.ts'

interface DeletedEmployeeParts {
  db: Database
  pubsub: PubSub
  log: Log
  control: CallControl
}

/** Nobody could end the call of a deleted employee any more, so their phones are hung up. */
export async function hangUpDeletedEmployees({
  db,
  pubsub,
  log,
  control,
}: DeletedEmployeeParts): Promise<void> {
  async function check(): Promise<void> {
    for (const id of await findFormerEmployees(db.sql, control.employeesInCalls()))
      control.employeeDeleted(id)
  }

  await pubsub.subscribe(EMPLOYEE_DELETED_CHANNEL, {
    onMessage: (employeeId) => control.employeeDeleted(employeeId),
    onGap: () => inBackground(log, 'look for deleted employees', check),
  })
}
