export {
  createDevice,
  type DeviceAccount,
  type DeviceCredentials,
  devicePasswordOf,
  findDevice,
  removeDevice,
} from './devices.ts'
export {
  type DeletedDevice,
  DEVICE_DELETED_CHANNEL,
  parseDeletedDevice,
  updateAvailabilityAfterDeletion,
} from './deleted-devices.ts'
export { rememberEncryptionRefused, setEncryption } from './encryption.ts'
export { devicePages } from './pages/pages.ts'
export type { PhoneServer } from './provisioning/links.ts'
export { provisioningPages } from './provisioning/pages.ts'
export {
  type DeviceRow,
  hasConnectedPhone,
  hasMadePhones,
  selectDeletedUsernames as deletedUsernames,
  selectDevicesOf as listDevices,
} from './queries.ts'
export {
  selectCompaniesRegisteredAt as companiesRegisteredAt,
  selectWasRegistered as wasRegisteredSince,
} from './registration-queries.ts'
export {
  bindingsOf,
  type RegisteredBinding,
  removeExpiredRegistrations,
  removeRegistration,
  removeRegistrationsOfEdge,
  saveRegistration,
} from './registrations.ts'
export { deviceRoutes } from './routes.ts'
export { DeviceEncryption } from './schemas.ts'
export { deviceJobs } from './softphone.ts'
