export {
  deleteExpiredResets,
  deletePendingPasswordReset as revokePasswordReset,
  type LinkHolder,
  lockAccountForReset,
  lockPassword,
  selectEmailRecipient as findAddressee,
  selectInvitationHolder as findInvited,
  selectPasswordHash as findPasswordHash,
  selectPasswordResetHolder as findResetting,
  updatePassword,
  upsertPasswordReset as savePasswordReset,
  useInvitation,
  usePasswordReset,
} from './account/account-queries.ts'
export {
  type ChangeHolder,
  clearUnconfirmedEmail,
  redeemCancellation,
  redeemConfirmation,
  selectCancellationHolder as findCancelling,
  selectConfirmationHolder as findConfirming,
  selectUnconfirmedEmail as findUnconfirmedEmail,
} from './email-change/link-queries.ts'
export {
  createEmployee,
  createEmployeeWithPassword,
  employeeJoined,
  listEmployees,
  requireEmployee,
  setOperator,
} from './employees.ts'
export { confirmUnconfirmedEmail as confirmEmail } from './email-change/email-change-queries.ts'
export {
  extensionOf,
  findEmployeeByExtension,
  listExtensions,
  setExtension,
} from './extensions/extensions.ts'
export { languageFor, usedLanguage } from './language.ts'
export { employeeJobs, inviteEmployee, sendEmailConfirmation } from './jobs.ts'
export {
  employeeOf,
  employeesEver,
  hasColleagues,
  keepEmployees,
  lockEmployeeRow,
  selectEmployee as findEmployee,
  selectEmployeeIds as employeeIds,
  selectEmployeesAmong as findEmployees,
  selectFormerEmployees as findFormerEmployees,
  selectIsOperator as isOperator,
  selectOperators as operatorIds,
  selectIdsByPhone as findEmployeesByPhone,
  updateLanguage as keepLanguage,
} from './queries.ts'
/** The channel on which the database notifies of deleted employees, by their ids. */
export const EMPLOYEE_DELETED_CHANNEL = 'employee_gone'
export { employeeRoutes } from './routes.ts'
export { EmployeeCreate, NewPassword, PASSWORD_CHARACTERS } from './schemas.ts'
