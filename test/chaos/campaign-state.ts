import type { ChaosEnvironment } from './environment/environment.ts'
import type { Api } from './load/api.ts'
import type { CallBook } from './load/calls.ts'
import type { Carrier } from './load/carrier.ts'
import type { ContactBook } from './load/contacts.ts'
import type { DoNotDisturbBook } from './load/do-not-disturb.ts'
import type { IncomingTextBook } from './load/incoming-texts.ts'
import type { ReconnectingClient } from './load/live-clients.ts'
import type { Phones } from './load/phones.ts'
import type { Provider } from './load/provider.ts'
import type { Sink } from './load/sink.ts'
import type { TextBook } from './load/texts.ts'
import type { SeededRandom } from './random.ts'

/** The whole campaign: what runs, its load, and what must hold. */
export interface CampaignState {
  stage: ChaosEnvironment
  provider: Provider
  sink: Sink
  carrier: Carrier
  phones: Phones
  live: ReconnectingClient[]
  api: Api
  chance: SeededRandom
  books: ExpectedState
  /** Processes that exited unexpectedly. */
  endedByThemselves: string[]
}

export interface ExpectedState {
  contacts: ContactBook
  doNotDisturb: DoNotDisturbBook
  texts: TextBook
  incomingTexts: IncomingTextBook
  calls: CallBook
  webhooks: WebhookBook
}

/** Deliveries that were already compared. */
export interface WebhookBook {
  /** All up to this one, by its uuid. */
  checkedTo: string
  checked: number
  lost: string[]
}
