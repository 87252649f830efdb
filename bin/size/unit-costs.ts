/** What one unit of work costs, and what showed it. */
export interface UnitCost {
  value: number
  unit: 'core ms' | 'share of a core' | 'MB' | 'kB' | 'kbit/s'
  /** A bench, a mode of `npm run bench:asterisk`, or why the figure needs none. */
  source: string
}

/**
 * The figures of `bellhop size`: two x64 cores, docs/performance.md and the decisions that it names. A figure that no
 * bench has measured says so.
 */
export const UNIT_COSTS = {
  /** An inbound call from INVITE to hang-up, without its audio and without PostgreSQL: 84 a core-second. */
  callService: { value: 11.9, unit: 'core ms', source: 'bench:asterisk inbound' },
  /** The same call in PostgreSQL: 57 a core-second with it, 84 without. */
  callDatabase: { value: 5.6, unit: 'core ms', source: 'bench:asterisk inbound' },
  /** The audio of a conversation: 266 on a core. */
  conversation: { value: 1 / 266, unit: 'share of a core', source: 'bench:asterisk bridged' },
  /** The same if it is recorded: 183 on a core. */
  recordedConversation: { value: 1 / 183, unit: 'share of a core', source: 'bench:asterisk recorded' },
  /** What a browser or phone with Opus costs in addition. */
  opusLeg: { value: 0.0078, unit: 'share of a core', source: 'bench opus-calls' },
  /** A second of speech that is transcribed. */
  transcribedSecond: { value: 130, unit: 'core ms', source: 'bench transcription' },
  /** A delivery, with PostgreSQL. */
  webhookDelivery: { value: 0.113, unit: 'core ms', source: 'bench webhook-deliveries' },
  /** A request of the dashboard, with PostgreSQL. */
  request: { value: 2, unit: 'core ms', source: 'not measured: several times a read in bench contacts-read' },
  /** A text, sent or received, with its events and PostgreSQL. */
  text: { value: 10, unit: 'core ms', source: 'not measured: five requests' },
  /** `bellhop serve` with an idle PostgreSQL. */
  idleInstallation: { value: 240, unit: 'MB', source: 'bench:asterisk idle' },
  /** A process of one role, idle: that without PostgreSQL. */
  idleProcess: { value: 144, unit: 'MB', source: 'bench:asterisk idle' },
  callMemory: { value: 0.14, unit: 'MB', source: 'bench:asterisk bridged' },
  /** A browser that follows the live channel, and is registered as a phone. */
  browserMemory: { value: 0.1, unit: 'MB', source: 'not measured' },
  /** The engine that transcribes, while it works. */
  transcriptionMemory: { value: 600, unit: 'MB', source: 'bench transcription' },
  /** The engines that speak prompts and embed searches, while they work. */
  otherEnginesMemory: { value: 610, unit: 'MB', source: 'bench:asterisk idle; bench search-scale' },
  /** A second of a recording: two channels of 8 kHz and 16 bit. */
  recordedSecondDisk: { value: 32, unit: 'kB', source: 'by the format' },
  /** A call in PostgreSQL, with its history, events and indexes. */
  callDisk: { value: 6, unit: 'kB', source: 'not measured' },
  /** A minute of transcript, with its words and vectors. */
  transcriptMinuteDisk: { value: 6, unit: 'kB', source: 'not measured' },
  textDisk: { value: 3, unit: 'kB', source: 'not measured' },
  /** One leg in one direction: G.711 in packets of 20 ms, with RTP, UDP, IPv4 and Ethernet. */
  legBandwidth: { value: 87.2, unit: 'kbit/s', source: 'by the format' },
} satisfies Record<string, UnitCost>
