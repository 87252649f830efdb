import { expect, test } from 'vitest'

import { simulateCells } from '../bench/cells/simulate.ts'

const CELL = { companiesMax: 3_000, callsMax: 72_000, fill: 0.7 }
const simulate = (seed: number) => simulateCells({ companies: 20_000, cell: CELL, seed, years: 4 })

test('no cell is over its limits, every company is found, and the loss of a cell is a small part of all', () => {
  const figures = simulate(1)
  expect(figures.fullness.largest).toBeLessThanOrEqual(1)
  expect(figures.routed.found).toBe(figures.routed.tried)
  expect(figures.blast.companies).toBeLessThanOrEqual(CELL.companiesMax / 20_000)
  expect(figures.blast.calls).toBeLessThan(5 / figures.cells)
  expect(figures.companiesMoved).toBeGreaterThan(0)
  expect(figures.companiesMoved).toBeLessThan(20_000 * 0.1)
})

test('the same seed gives the same figures', () => {
  expect(simulate(3)).toEqual(simulate(3))
  expect(simulate(3)).not.toEqual(simulate(4))
})
