/** Some companies of the same size: `5x40` are five companies of 40 employees. */
export interface CompanyGroup {
  companies: number
  /** Of each: as many as it has numbers and phones. */
  employees: number
}

export function parseCompanies(text: string): CompanyGroup[] {
  return text.split(',').map((part) => {
    const [, companies, employees] = /^(\d+)x(\d+)$/.exec(part) ?? []
    if (!companies) throw new Error(`${part} is not a number of companies and their size, such as 5x40`)
    return { companies: Number(companies), employees: Number(employees) }
  })
}

export const linesOf = (groups: CompanyGroup[]): number =>
  groups.reduce((sum, { companies, employees }) => sum + companies * employees, 0)

/**
 * The lines of the first company of each group. Lines are dealt to the companies of a group one by one, so that the
 * first lines belong to all of them.
 */
export function linesOfFirstCompany(groups: CompanyGroup[], group: number, count: number): number[] {
  const first = linesOf(groups.slice(0, group))
  return Array.from({ length: count }, (_, i) => first + i * groups[group]!.companies)
}

/** The company of each line, as its place among all companies. */
export function dealLines(groups: CompanyGroup[]): number[] {
  let before = 0
  return groups.flatMap(({ companies, employees }) => {
    const dealt = Array.from({ length: companies * employees }, (_, line) => before + (line % companies))
    before += companies
    return dealt
  })
}
