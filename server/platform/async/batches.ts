/** A long list in batches of items, so that it is never in memory as a whole. */
export class Batches<T> {
  /** The next items, at most so many if a number is given; undefined after the last batch. */
  readonly next: (size?: number) => Promise<T[] | undefined>

  constructor(next: Batches<T>['next']) {
    this.next = next
  }
}

/**
 * Each batch is a query of its own that continues before the last id: a slow reader keeps no connection, and an item that
 * stays is listed exactly once, whatever else is added or deleted.
 */
export function inBatches<T extends { id: string }>(
  sizeMax: number,
  select: (beforeId: string | undefined, limit: number) => PromiseLike<T[]>,
): Batches<T> {
  let beforeId: string | undefined
  let isOver = false
  return new Batches(async (size = sizeMax) => {
    if (isOver) return undefined
    const limit = Math.min(size, sizeMax)
    const items = await select(beforeId, limit)
    isOver = items.length < limit
    beforeId = items.at(-1)?.id
    return items
  })
}
