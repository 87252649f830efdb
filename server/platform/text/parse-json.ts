/** Undefined for what is no JSON: the schema that it is read with then refuses it like anything else that is wrong. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
