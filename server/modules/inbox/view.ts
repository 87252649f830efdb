/** What part of a company's inbox is looked at. */
export interface View {
  companyId: string
  country: string
  /** Undefined for all numbers. */
  numberId?: string
  /** Texts are hidden, as if they did not exist, while the company has no messaging. */
  withTexts: boolean
}

/** Threads are kept for each number, and for the company as a whole. */
export const scopeOf = ({ companyId, numberId }: View) => numberId ?? companyId
