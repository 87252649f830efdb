export { type SimulatedCustomers, simulatorRoutes } from './routes.ts'
