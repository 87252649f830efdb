/** The limits of business numbers. */
export const NUMBER_LIMITS = {
  /** How often the prompt of a menu is played. */
  menuPrompts: 3,
  /** Numbers that an edge keeps in memory, with their call flows. */
  numbersKept: 1_000,
  /** Audio of prompts that an edge keeps in memory. */
  promptsKeptBytesMax: 16 * 1024 * 1024,
  /** Voice previews of one company per minute. */
  previewsPerMinute: 30,
  /** How long a voice preview is available. */
  previewMs: 60 * 60 * 1000,
  /** The text of an automatic reply. */
  autoReplyCharacters: 10_000,
  /** The shortest time between two automatic replies to one customer. */
  cooldownMinutesMin: 60,
  /** The longest time between them: 30 days. */
  cooldownMinutesMax: 43_200,
}
