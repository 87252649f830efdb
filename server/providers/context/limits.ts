/** The limits of what a context provider returns. Anything beyond them is truncated or dropped. */
export const CONTEXT_LIMITS = {
  /** Time for all requests of one provider. */
  answerMs: 3_000,
  /** One response. */
  answerBytes: 256 * 1024,
  /** Sections. */
  sections: 20,
  /** Fields of a section. */
  fieldsPerSection: 50,
  /** Columns of a table. */
  columnsPerTable: 12,
  /** Rows of a table. */
  rowsPerTable: 50,
  /** A label. */
  labelCharacters: 128,
  /** The name of the integration. */
  sourceCharacters: 255,
  /** A value. */
  valueCharacters: 2_000,
  /** A link. */
  urlCharacters: 2_000,
  /** The name of a contact. */
  contactNameCharacters: 128,
  /** The e-mail address of a contact. */
  contactEmailCharacters: 320,
  /** The note of a contact. */
  contactNoteCharacters: 10_000,
  /** Connections to one host. */
  connectionsPerHost: 20,
}
