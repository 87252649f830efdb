export {
  answerCommand,
  type Asked,
  askEdge,
  claimCommands,
  EDGE_CHANNEL,
  outcomeOf,
  postCommand,
} from './commands.ts'
export {
  announceDraining,
  type EdgeAddress,
  findSilentEdges,
  giveSignOfLife,
  isKnownEdge,
  newEdgeId,
  registerEdge,
  removeEdge,
  runningEdge,
  takeEdge,
  takeSilentEdge,
} from './edges.ts'
export { edgeJobs } from './jobs.ts'
export { EDGE_LIFE } from './limits.ts'
