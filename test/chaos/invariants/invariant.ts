import type { CampaignState } from '../campaign-state.ts'

export interface Finding {
  /** How many things were checked. */
  checked: number
  /** A sentence for each violation. */
  broken: string[]
}

/** Something that holds whatever fault is injected. */
export interface Invariant {
  name: string
  /** A violation is permanent: there is nothing to wait for. */
  isFinal?: true
  check(world: CampaignState): Promise<Finding>
}
