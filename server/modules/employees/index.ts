export {
  createEmployee,
  createEmployeeWithPassword,
  employeeJoined,
  listEmployees,
  requireEmployee,
} from './employees.ts'
export { confirmUnconfirmedEmail as confirmEmail } from './email-change/email-change-queries.ts'
export { employeeJobs, inviteEmployee, sendEmailConfirmation } from './jobs.ts'
export {
  holdEmployee,
  selectEmployee as findEmployee,
  selectIdsByPhone as findEmployeesByPhone,
} from './queries.ts'
export { employeeRoutes } from './routes.ts'
export { EmployeeCreate, NewPassword, PASSWORD_CHARACTERS } from './schemas.ts'
