/** Companies in cells: how they are placed, how they move, and what the loss of one cell means. */
export interface CellSimulation {
  companies: number
  /** Companies that a cell should not exceed, and the load, in calls of the busiest hour. */
  cell: { companiesMax: number; callsMax: number; fill: number }
  seed: number
  /** Years of growth that are simulated, with a year's moves. */
  years: number
}

export interface CellFigures {
  cells: number
  companies: number
  /** Fullness of the cells by load, after all is placed. */
  fullness: { median: number; largest: number }
  movesPerYear: number
  companiesMoved: number
  cellsAdded: number
  /** The largest cell's part of all companies, employees and calls. */
  blast: { companies: number; employees: number; calls: number }
  /** Look-ups that found the company's cell, of those tried, after all moves. */
  routed: { tried: number; found: number }
  /** A directory of all numbers, hosts, keys and client ids. */
  directoryEntries: number
  directoryMb: number
}

interface Company {
  employees: number
  /** In the busiest hour. */
  calls: number
  cell: number
}

interface Cell {
  companies: Set<number>
  calls: number
  employees: number
}

/** Half of an entry is a hash of 8 bytes and a cell of 4; the rest is what a hash table takes. */
const ENTRY_BYTES = 24
const ENTRIES = { perCompany: 3, perEmployee: 0.2 }
const GROWTH_PER_YEAR = 0.3
/** A company that outgrows this gets a cell of its own, of the size it needs. */
const COMPANY_CALLS_MAX = 50_000

export function simulateCells({ companies: count, cell, seed, years }: CellSimulation): CellFigures {
  const chance = seeded(seed)
  const companies: Company[] = []
  const cells: Cell[] = []
  const places = new Placement(cells, cell)
  for (let id = 0; id < count; id++) {
    const company = newCompany(chance)
    companies.push(company)
    company.cell = places.add(id, company)
  }
  const cellsAtFirst = cells.length
  let moves = 0
  for (let year = 0; year < years; year++) moves += grow(companies, places, chance)
  const calls = cells.map((one) => one.calls / cell.callsMax).toSorted((a, b) => a - b)
  const totals = { companies: count, employees: sum(companies, 'employees'), calls: sum(companies, 'calls') }
  const largest = cells.reduce((worst, one) => (one.calls > worst.calls ? one : worst))
  const routed = route(companies, cells, chance)
  const directoryEntries = Math.round(count * ENTRIES.perCompany + totals.employees * ENTRIES.perEmployee)
  return {
    cells: cells.length,
    companies: count,
    fullness: { median: calls[calls.length >> 1]!, largest: calls.at(-1)! },
    movesPerYear: moves / Math.max(1, years),
    companiesMoved: moves,
    cellsAdded: cells.length - cellsAtFirst,
    blast: {
      companies: Math.max(...cells.map((one) => one.companies.size)) / totals.companies,
      employees: Math.max(...cells.map((one) => one.employees)) / totals.employees,
      calls: largest.calls / totals.calls,
    },
    routed,
    directoryEntries,
    directoryMb: (directoryEntries * ENTRY_BYTES) / 1e6,
  }
}

/** Most companies are small, and a few are large: sizes follow Pareto's law. */
function newCompany(chance: () => number): Company {
  const employees = Math.min(5_000, Math.ceil(2 / (1 - chance()) ** (1 / 1.3)))
  return { employees, calls: employees * (2 + 8 * chance()), cell: -1 }
}

/** A new company goes to the emptier of two random cells, which keeps cells equally full without comparing all. */
class Placement {
  readonly #cells: Cell[]
  readonly #limits: CellSimulation['cell']
  readonly #chance = seeded(1)
  /** Cells that take new companies. */
  #open: number[] = []

  constructor(cells: Cell[], limits: CellSimulation['cell']) {
    this.#cells = cells
    this.#limits = limits
  }

  add(id: number, company: Company): number {
    const cell = this.#choose(company)
    this.put(id, company, cell)
    return cell
  }

  put(id: number, company: Company, cell: number): void {
    const to = this.#cells[cell]!
    to.companies.add(id)
    to.calls += company.calls
    to.employees += company.employees
  }

  take(id: number, company: Company): void {
    const from = this.#cells[company.cell]!
    from.companies.delete(id)
    from.calls -= company.calls
    from.employees -= company.employees
  }

  isOver(cell: number): boolean {
    return this.#cells[cell]!.calls > this.#limits.callsMax
  }

  grew(cell: number, calls: number): void {
    this.#cells[cell]!.calls += calls
  }

  /** The largest company that leaves the cell just below its limit: one move instead of many. */
  toMove(cell: number, companies: Company[]): number {
    const { calls, companies: ids } = this.#cells[cell]!
    const excess = calls - this.#limits.callsMax
    let best = -1
    for (const id of ids) {
      const one = companies[id]!.calls
      const known = best < 0 ? Infinity : companies[best]!.calls
      if ((one >= excess && one < known) || (known < excess && one > known)) best = id
      else if (best < 0) best = id
    }
    return best
  }

  #choose(company: Company): number {
    this.#open = this.#open.filter((cell) => this.#hasRoom(cell, company))
    if (this.#open.length < 2) this.#addCell()
    const pick = () => this.#open[Math.floor(this.#chance() * this.#open.length)]!
    const [one, other] = [pick(), pick()]
    return this.#cells[one]!.calls <= this.#cells[other]!.calls ? one : other
  }

  #hasRoom(cell: number, { calls }: Company): boolean {
    const { companies, calls: taken } = this.#cells[cell]!
    const { companiesMax, callsMax, fill } = this.#limits
    return companies.size < companiesMax * fill && taken + calls <= callsMax * fill
  }

  #addCell(): void {
    this.#cells.push({ companies: new Set(), calls: 0, employees: 0 })
    this.#open.push(this.#cells.length - 1)
  }
}

/** A year: companies grow or shrink, and those that a full cell can do without move with all their ids. */
function grow(companies: Company[], places: Placement, chance: () => number): number {
  let moves = 0
  const over = new Set<number>()
  for (const company of companies) {
    const grown = company.calls * (1 + GROWTH_PER_YEAR * (2 * chance() - 0.7))
    const change = Math.min(COMPANY_CALLS_MAX, grown) - company.calls
    company.calls += change
    places.grew(company.cell, change)
    over.add(company.cell)
  }
  for (const cell of over) {
    while (places.isOver(cell)) {
      const id = places.toMove(cell, companies)
      const company = companies[id]!
      places.take(id, company)
      company.cell = places.add(id, company)
      moves++
    }
  }
  return moves
}

/** What arrives at any cell names a number, a host, a key or a client id, which leads to one cell. */
function route(companies: Company[], cells: Cell[], chance: () => number) {
  const tried = 100_000
  let found = 0
  for (let i = 0; i < tried; i++) {
    const id = Math.floor(chance() * companies.length)
    if (cells[companies[id]!.cell]!.companies.has(id)) found++
  }
  return { tried, found }
}

const sum = (companies: Company[], of: 'employees' | 'calls') =>
  companies.reduce((total, company) => total + company[of], 0)

/** Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
