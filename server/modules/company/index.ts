export {
  companyCountry,
  companyLanguage,
  createCompany,
  requireCompany,
  requireMessaging,
  setMessaging,
} from './company.ts'
export {
  companyNameOf,
  hasCompanies,
  holdCompany,
  lockCompanies,
  lockMessagingFlag,
  selectCompanies as listCompanies,
} from './queries.ts'
export { companyRoutes } from './routes.ts'
