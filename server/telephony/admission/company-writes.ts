import type { Database } from '../../platform/db/database.ts'

export type CompanyWrites = Pick<Database, 'tx' | 'step'>

export interface WritesOfCompanies {
  /** The database for what is written of this company's calls. */
  of(companyId: string): CompanyWrites
  /** A company has more to write than it may write at once. */
  isAnyWaiting(): boolean
}

interface Company {
  running: number
  waiting: (() => void)[]
}

/**
 * Lets each company run only some of its transactions at once. Most of them wait for each other at the lock of the
 * company's queue, each with a connection of its own, so a company with many calls would use up the connections, and
 * those of others would wait behind it.
 */
export function limitWritesOfCompanies(db: CompanyWrites, atOnce: number): WritesOfCompanies {
  const companies = new Map<string, Company>()
  let waitingCount = 0

  function companyOf(id: string): Company {
    let company = companies.get(id)
    if (!company) companies.set(id, (company = { running: 0, waiting: [] }))
    return company
  }

  async function inTurn<T>(companyId: string, run: () => Promise<T>): Promise<T> {
    const company = companyOf(companyId)
    if (company.running < atOnce) company.running++
    else {
      waitingCount++
      await new Promise<void>((resolve) => company.waiting.push(resolve))
      waitingCount--
    }
    try {
      return await run()
    } finally {
      // Passes the turn on.
      const next = company.waiting.shift()
      if (next) next()
      else if (--company.running === 0) companies.delete(companyId)
    }
  }

  return {
    of: (companyId) => ({
      tx: (run) => inTurn(companyId, () => db.tx(run)),
      step: (run) => inTurn(companyId, () => db.step(run)),
    }),
    isAnyWaiting: () => waitingCount > 0,
  }
}
