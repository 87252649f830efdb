export {
  companyCountry,
  companyLanguage,
  createCompany,
  requireCompany,
  requireMessaging,
  setMessaging,
  setOutsideTransfers,
} from './company.ts'
export { findPhoneErrors, NOT_A_PHONE_NUMBER } from './phone-errors.ts'
export {
  companyCreatedAt,
  companyMayText,
  companyNameOf,
  hasCompanies,
  holdCompany,
  lockMessagingFlag,
  lockCompanies,
  selectCompanies as listCompanies,
  selectOutsideTransfersFlag as allowsOutsideTransfers,
} from './queries.ts'
export { companyRoutes } from './routes.ts'
