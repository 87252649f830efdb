export { type SimulatedPeople, simulatorRoutes } from './routes.ts'
