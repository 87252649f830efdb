export {
  createDevice,
  type DeviceCredentials,
  devicePasswordOf,
  findDevice,
  removeDevice,
} from './devices.ts'
export { DEVICE_GONE, type GoneDevice, readGoneDevice, settleAfterLoss } from './gone-devices.ts'
export { devicePages } from './pages.ts'
export {
  type DeviceRow,
  hasMadePhones,
  selectDevicesOf as listDevices,
  selectGone as goneDevices,
} from './queries.ts'
export { selectCompaniesRegisteredAt as companiesRegisteredAt } from './registration-queries.ts'
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
