export {
  answerCommand,
  awaitCommand,
  claimCommands,
  EDGE_CHANNEL,
  type EdgeCommandOutcome,
  postCommand,
  runEdgeCommand,
} from './commands.ts'
export {
  announceDraining,
  claimDeadEdge,
  claimEdge,
  type EdgeAddress,
  findDeadEdges,
  isRegisteredEdge,
  newEdgeId,
  recordHeartbeat,
  registerEdge,
  removeEdge,
  runningEdge,
  runningEdges,
} from './edges.ts'
export { selectEdgeAddress as addressOfEdge } from './queries.ts'
export { askEdges, type EdgeAnswer, EdgeQuestion, TraceAnswer, TrunksAnswer } from './questions.ts'
export { edgeJobs } from './jobs.ts'
export { EDGE_HEARTBEAT } from './limits.ts'
