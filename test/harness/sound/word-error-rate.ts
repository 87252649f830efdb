/** Substitutions, insertions and deletions per spoken word. */
export function wordErrorRate(said: string, heard: string): number {
  const [spoken, understood] = [wordsOf(said), wordsOf(heard)]
  // Levenshtein's distance, row by row.
  let row = Array.from({ length: understood.length + 1 }, (_, i) => i)
  for (const [i, word] of spoken.entries()) {
    const above = row
    row = [i + 1]
    for (const [j, other] of understood.entries())
      row.push(Math.min(above[j]! + (word === other ? 0 : 1), above[j + 1]! + 1, row[j]! + 1))
  }
  return row.at(-1)! / spoken.length
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .split(/\s+/)
    .filter(Boolean)
