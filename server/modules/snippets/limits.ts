/** The limits of a snippet. */
export const SNIPPET_LIMITS = {
  /** Its title. */
  titleCharacters: 128,
  /** Its text. */
  textCharacters: 10_000,
  /** Its position: the largest integer of the column. */
  position: 2_147_483_647,
}
