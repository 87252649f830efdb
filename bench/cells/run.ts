/**
 * `npm run cells` simulates a million companies in cells, and prints the figures of docs/operating/scale.md as JSON.
 * The same seed gives the same figures.
 */
import { simulateCells } from './simulate.ts'

const COMPANIES = 1_000_000
/** A cell of `bellhop size`: 2,000 companies, or 4,000 conversations at once, of three minutes each. */
const CELL = { companiesMax: 2_000, callsMax: 80_000, fill: 0.7 }

const figures = simulateCells({ companies: COMPANIES, cell: CELL, seed: 22, years: 3 })
process.stdout.write(JSON.stringify(figures, null, 2) + '\n')
