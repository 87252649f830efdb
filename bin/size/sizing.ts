import { UNIT_COSTS } from './unit-costs.ts'

/** What an installation has to carry. */
export interface Profile {
  companies: number
  employees: number
  /** Of all companies together, in the busiest hour. */
  callsPerHour: number
  callMinutes: number
  /** Between 0 and 1. */
  recordedShare: number
  /** The share of conversations in a browser, or on a phone with Opus. */
  browserShare: number
  textsPerHour: number
  retentionDays: number
}

export interface Machine {
  role: string
  count: number
  processes: string
  cores: number
  memoryGb: number
}

export interface Layout {
  machines: Machine[]
  recordingsGb: number
  databaseGb: number
  /** Of calls, in each direction. */
  mbitPerSecond: number
}

export interface Sizing {
  concurrentCalls: number
  /** Cores that are busy in the busiest hour. */
  busyCores: Record<Work, number>
  /** Undefined if it would be too much for one machine. */
  oneMachine: Layout | undefined
  /** One cell, or a cluster without cells. Undefined if it would be too much for one database. */
  cluster: Layout | undefined
  cells: { count: number; companiesPerCell: number; each: Layout }
}

type Work = 'signalling' | 'media' | 'api' | 'transcripts' | 'database'

/** Rules of thumb, beside the measured costs. */
const RULES = {
  /** Cores are planned to be busy to this share in the busiest hour. */
  load: 0.6,
  /** The share of a day's calls that come in its busiest hour. */
  busiestHour: 1 / 8,
  /** What the dashboard of an employee asks for. */
  requestsPerEmployeePerMinute: 6,
  deliveriesPerCall: 4,
  /** One machine for everything: beyond this, roles on machines of their own are easier to operate. */
  oneMachineCores: 8,
  /** The cores of the largest database of a cell, and what a cell should not exceed, for what its loss would mean. */
  databaseCoresMax: 16,
  cellCompaniesMax: 2_000,
  cellConversationsMax: 4_000,
  /** Cells are filled to this share, so that a company has room to grow and another cell to move to. */
  cellFill: 0.7,
  /** Conversations that were shown to run on an edge of two cores, at most. */
  edgeConversations: 400,
  edgeCores: 4,
}

export function sizeFor(profile: Profile): Sizing {
  const concurrentCalls = peakOf((profile.callsPerHour * profile.callMinutes) / 60)
  const busyCores = busyCoresOf(profile, concurrentCalls)
  const total = Object.values(busyCores).reduce((sum, cores) => sum + cores, 0)
  const needed = Math.ceil(total / RULES.load)
  const count = cellsFor(profile, concurrentCalls, busyCores.database)
  return {
    concurrentCalls,
    busyCores,
    oneMachine: needed <= RULES.oneMachineCores ? oneMachineFor(profile, concurrentCalls, needed) : undefined,
    cluster: count === 1 ? clusterFor(profile) : undefined,
    cells: {
      count,
      companiesPerCell: Math.ceil(profile.companies / count),
      each: clusterFor(shareOf(profile, count)),
    },
  }
}

/** Calls come by chance: three standard deviations above the mean are enough for all but a second in ten minutes. */
const peakOf = (mean: number) => Math.ceil(mean + 3 * Math.sqrt(mean))

function busyCoresOf(profile: Profile, concurrent: number): Record<Work, number> {
  const perSecond = profile.callsPerHour / 3_600
  const { recordedShare: recorded, browserShare } = profile
  const conversation =
    (1 - recorded) * UNIT_COSTS.conversation.value +
    recorded * UNIT_COSTS.recordedConversation.value +
    browserShare * UNIT_COSTS.opusLeg.value
  const requests = (profile.employees * RULES.requestsPerEmployeePerMinute) / 60
  const texts = (profile.textsPerHour / 3_600) * UNIT_COSTS.text.value
  const deliveries = perSecond * RULES.deliveriesPerCall * UNIT_COSTS.webhookDelivery.value
  const recordedSeconds = perSecond * recorded * profile.callMinutes * 60
  return {
    signalling: (perSecond * UNIT_COSTS.callService.value) / 1_000,
    media: concurrent * conversation,
    api: (requests * UNIT_COSTS.request.value + texts + deliveries) / 1_000,
    transcripts: (recordedSeconds * UNIT_COSTS.transcribedSecond.value) / 1_000,
    database: (perSecond * UNIT_COSTS.callDatabase.value) / 1_000,
  }
}

function cellsFor({ companies }: Profile, concurrent: number, databaseCores: number): number {
  const fullness = Math.max(
    companies / RULES.cellCompaniesMax,
    concurrent / RULES.cellConversationsMax,
    databaseCores / RULES.load / RULES.databaseCoresMax,
  )
  return fullness <= 1 ? 1 : Math.ceil(fullness / RULES.cellFill)
}

const shareOf = (profile: Profile, cells: number): Profile => ({
  ...profile,
  companies: profile.companies / cells,
  employees: profile.employees / cells,
  callsPerHour: profile.callsPerHour / cells,
  textsPerHour: profile.textsPerHour / cells,
})

function oneMachineFor(profile: Profile, concurrent: number, cores: number): Layout {
  const memoryMb = UNIT_COSTS.idleInstallation.value + enginesMb(profile) + usersMb(profile, concurrent)
  const machine: Machine = {
    role: 'everything',
    count: 1,
    processes: 'bellhop serve, with its own PostgreSQL',
    cores: Math.max(2, cores),
    memoryGb: gb(memoryMb * 1.5, 2),
  }
  return { machines: [machine], ...storageOf(profile, concurrent) }
}

/** Each role can lose one machine. */
function clusterFor(profile: Profile): Layout {
  const concurrent = peakOf((profile.callsPerHour * profile.callMinutes) / 60)
  const busy = busyCoresOf(profile, concurrent)
  const edgesFor = {
    // An edge has one thread for signalling.
    signalling: busy.signalling / RULES.load,
    media: busy.media / (RULES.load * (RULES.edgeCores - 1)),
    conversations: concurrent / RULES.edgeConversations,
  }
  const edges = 1 + Math.ceil(Math.max(...Object.values(edgesFor)))
  // Each API process has one thread, and a machine has as many of them as cores.
  const apis = 1 + Math.ceil(busy.api / (RULES.load * 2))
  const workers = 1 + Math.max(1, Math.ceil(busy.transcripts / (RULES.load * 4)))
  const databaseCores = Math.max(2, Math.ceil((busy.database + busy.api / 2) / RULES.load))
  const { value: idle } = UNIT_COSTS.idleProcess
  const machines: Machine[] = [
    {
      role: 'edge',
      count: edges,
      processes: '1 × bellhop edge',
      cores: RULES.edgeCores,
      memoryGb: gb(idle + usersMb(profile, concurrent) / (edges - 1), 2),
    },
    {
      role: 'api',
      count: apis,
      processes: '2 × bellhop api',
      cores: 2,
      memoryGb: gb(2 * idle + UNIT_COSTS.otherEnginesMemory.value + usersMb(profile, 0) / (apis - 1), 2),
    },
    {
      role: 'worker',
      count: workers,
      processes: '1 × bellhop worker',
      cores: 4,
      memoryGb: gb(idle + enginesMb(profile), 2),
    },
    {
      role: 'database',
      count: 2,
      processes: 'PostgreSQL, and a synchronous standby',
      cores: databaseCores,
      memoryGb: Math.max(4, databaseCores * 4),
    },
  ]
  return { machines, ...storageOf(profile, concurrent) }
}

const enginesMb = ({ recordedShare }: Profile) =>
  UNIT_COSTS.otherEnginesMemory.value + (recordedShare > 0 ? UNIT_COSTS.transcriptionMemory.value : 0)

const usersMb = ({ employees }: Profile, concurrent: number) =>
  employees * UNIT_COSTS.browserMemory.value + concurrent * UNIT_COSTS.callMemory.value

function storageOf(profile: Profile, concurrent: number) {
  const days = profile.retentionDays
  const calls = (profile.callsPerHour / RULES.busiestHour) * days
  const texts = (profile.textsPerHour / RULES.busiestHour) * days
  const recordedMinutes = calls * profile.recordedShare * profile.callMinutes
  const databaseKb =
    calls * UNIT_COSTS.callDisk.value +
    texts * UNIT_COSTS.textDisk.value +
    recordedMinutes * UNIT_COSTS.transcriptMinuteDisk.value
  return {
    recordingsGb: gb((recordedMinutes * 60 * UNIT_COSTS.recordedSecondDisk.value) / 1_000),
    // Half of it again for updates, and for what autovacuum has not reached.
    databaseGb: gb((databaseKb * 1.5) / 1_000, 1),
    mbitPerSecond: Math.ceil((concurrent * 2 * UNIT_COSTS.legBandwidth.value) / 1_000),
  }
}

const gb = (mb: number, least = 0) => Math.max(least, Math.ceil(mb / 1_000))
