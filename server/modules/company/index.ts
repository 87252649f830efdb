export {
  companyCountry,
  companyLanguage,
  createCompany,
  requireCompany,
  requireMessaging,
  setMessaging,
} from './company.ts'
export { findPhoneErrors, NOT_A_PHONE_NUMBER } from './phone-errors.ts'
export {
  companyNameOf,
  hasCompanies,
  holdCompany,
  lockMessagingFlag,
  lockCompanies,
  selectCompanies as listCompanies,
} from './queries.ts'
export { companyRoutes } from './routes.ts'
