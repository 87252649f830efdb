import type { Keys } from './use-keys.ts'

/** Links with this attribute are a list that `j` and `k` go through. */
export const ROW = { 'data-row': '' }

/** Moves to the next or previous row, from the focused or open one. */
export const rowKeys = ({ isOpened }: { isOpened: boolean }): Keys => ({
  j: () => move(1, isOpened),
  k: () => move(-1, isOpened),
})

/** The one after the open row, or else before it; none if the open one is not listed. */
export function nextRow(): HTMLElement | undefined {
  const rows = shownRows()
  const current = rows.findIndex((row) => row.ariaCurrent === 'page')
  return current === -1 ? undefined : (rows[current + 1] ?? rows[current - 1])
}

const shownRows = () => [...document.querySelectorAll<HTMLElement>('main [data-row]')]

function move(by: 1 | -1, isOpened: boolean): void {
  const rows = shownRows()
  const focused = rows.findIndex((row) => row === document.activeElement)
  const current = focused === -1 ? rows.findIndex((row) => row.ariaCurrent === 'page') : focused
  const next = rows[current === -1 ? 0 : current + by]
  if (!next) return
  next.focus()
  if (isOpened) next.click()
}
