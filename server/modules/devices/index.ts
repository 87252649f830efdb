export { createDevice, type DeviceCredentials } from './devices.ts'
