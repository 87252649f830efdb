type Rows<T> = PromiseLike<readonly T[]>
/** The value of a row that has one column. */
type Value<T> = T[keyof T]

/** The first row of a query, if it has any. */
export const firstRow = async <T>(query: Rows<T>): Promise<T | undefined> => (await query)[0]

/** The row of a query that always has one. */
export const oneRow = async <T>(query: Rows<T>): Promise<T> => (await query)[0]!

/** Whether a query has any row, or changed one. */
export const hasRow = async (query: Rows<unknown>): Promise<boolean> => (await query).length > 0

/** The values of a query with one column. */
export const allValues = async <T extends object>(query: Rows<T>): Promise<Value<T>[]> =>
  (await query).map((row) => Object.values(row)[0] as Value<T>)

/** The first of them, if there is any. */
export const firstValue = async <T extends object>(query: Rows<T>): Promise<Value<T> | undefined> =>
  (await allValues(query))[0]

/** The value of a query that always has one. */
export const oneValue = async <T extends object>(query: Rows<T>): Promise<Value<T>> =>
  (await allValues(query))[0]!
