/** Makes something when it is first asked for, and gives the same to all. */
export function madeWhenAsked<T extends object | string>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/**
 * Makes something when it is first asked for, and gives the same to all. A promise that is kept would keep its
 * rejection, too: what failed is made anew for who asks next.
 */
export function onceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    }))
}
