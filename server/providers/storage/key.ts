/** Plain names between slashes: nothing with a special meaning in a file system or a URL. */
const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

/** Returns the key; throws if it could lead out of the folder or bucket. */
export function safeKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`not a storage key: ${JSON.stringify(key)}`)
  return key
}
