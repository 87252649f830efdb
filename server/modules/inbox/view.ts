/** The part of a company's inbox that is read. */
export interface View {
  companyId: string
  country: string
  /** Undefined for all numbers. */
  numberId?: string
  /** Without messaging, texts are hidden as if they did not exist. */
  withTexts: boolean
}

/** Threads are stored for each number, and for the company as a whole. */
export const scopeOf = ({ companyId, numberId }: View) => numberId ?? companyId
