import type { CampaignState } from '../campaign-state.ts'

export interface Finding {
  /** How many things were looked at. */
  checked: number
  /** A sentence for each that is not as promised. */
  broken: string[]
}

/** Something that holds whatever fault is drawn. */
export interface Invariant {
  name: string
  /** What was broken stays broken: there is nothing to wait for. */
  isFinal?: true
  check(world: CampaignState): Promise<Finding>
}
