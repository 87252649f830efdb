export { createEmployee, createEmployeeWithPassword, listEmployees, requireEmployee } from './employees.ts'
export { employeeJobs } from './jobs.ts'
export { employeeRoutes } from './routes.ts'
export { EmployeeCreate } from './schemas.ts'
