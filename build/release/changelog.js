const UNRELEASED = '## Unreleased\n'

/** Moves what is unreleased under the version. Throws if there is nothing. */
export function releasedChangelog(text, version, date) {
  const notes = unreleasedNotes(text)
  if (notes === '') throw new Error('CHANGELOG.md has nothing under "Unreleased".')
  return text.replace(`${UNRELEASED}\n`, `${UNRELEASED}\n## ${version} (${date})\n\n`)
}

/** Up to the version before. */
export function unreleasedNotes(text) {
  const [, after] = text.split(UNRELEASED)
  if (after === undefined) throw new Error('CHANGELOG.md has no heading "Unreleased".')
  return after.split(/^## /m)[0].trim()
}
