export {
  createDevice,
  type DeviceCredentials,
  devicePasswordOf,
  findDevice,
  removeDevice,
} from './devices.ts'
export { devicePages } from './pages.ts'
export { selectPhonesOf as listPhones } from './queries.ts'
export {
  dropExpiredRegistrations,
  dropRegistration,
  dropRegistrationsOfEdge,
  keepRegistration,
  linesOf,
  type RegisteredLine,
} from './registrations.ts'
export { deviceRoutes } from './routes.ts'
export { deviceJobs } from './softphone.ts'
