/** Plain names between slashes: nothing that a file system or a URL would read as another place. */
const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

/** The key itself; throws at anything that could lead out of the folder or bucket. */
export function safeKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`)
  return key
}
