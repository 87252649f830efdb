export { trunkRoutes } from './routes.ts'
export type { TrunkParts } from './trunks.ts'
