export {
  deleteExpiredResets,
  deletePasswordResetOf as revokePasswordReset,
  type LinkHolder,
  lockForgetful,
  lockPassword,
  selectAddressee as findAddressee,
  selectInvited as findInvited,
  selectPasswordHash as findPasswordHash,
  selectResetting as findResetting,
  updatePassword,
  upsertPasswordReset as savePasswordReset,
  useInvitation,
  usePasswordReset,
} from './account/account-queries.ts'
export {
  type ChangeHolder,
  clearUnconfirmedEmail,
  selectCancelling as findCancelling,
  selectConfirming as findConfirming,
  selectUnconfirmedEmail as findUnconfirmedEmail,
  useCancellation,
  useConfirmation,
} from './email-change/link-queries.ts'
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
  employeeOf,
  holdEmployee,
  keepEmployees,
  selectEmployee as findEmployee,
  selectEmployeeIds as employeeIds,
  selectIdsByPhone as findEmployeesByPhone,
} from './queries.ts'
export { employeeRoutes } from './routes.ts'
export { EmployeeCreate, NewPassword, PASSWORD_CHARACTERS } from './schemas.ts'
