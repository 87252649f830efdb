export { companyCountry, createCompany, requireCompany, setMessaging } from './company.ts'
export { hasCompanies, lockCompanies, selectCompanies as listCompanies } from './queries.ts'
export { companyRoutes } from './routes.ts'
