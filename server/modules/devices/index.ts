export {
  createDevice,
  type DeviceCredentials,
  devicePasswordOf,
  findDevice,
  removeDevice,
} from './devices.ts'
export { selectPhonesOf as listPhones } from './queries.ts'
export {
  dropExpiredRegistrations,
  dropRegistration,
  dropRegistrationsOfEdge,
  keepRegistration,
  linesOf,
  type RegisteredLine,
} from './registrations.ts'
