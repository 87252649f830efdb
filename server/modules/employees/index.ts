export { createEmployee, createEmployeeWithPassword, listEmployees, requireEmployee } from './employees.ts'
export { employeeJobs, inviteEmployee } from './jobs.ts'
export { employeeRoutes } from './routes.ts'
export { EmployeeCreate, NewPassword } from './schemas.ts'
