/** A session description (RFC 8866), as far as telephony needs it. */
export interface SessionDescription {
  origin: { sessionId: string; version: string; address: string }
  /** The default address for lines without one. */
  connection?: string
  attributes: Attribute[]
  media: MediaLine[]
}

export interface MediaLine {
  kind: string
  /** 0 means that the line is refused. */
  port: number
  protocol: string
  formats: string[]
  connection?: string
  attributes: Attribute[]
}

export interface Attribute {
  name: string
  value?: string
}

export const attributeValue = (attributes: Attribute[], name: string): string | undefined =>
  attributes.find((attribute) => attribute.name === name)?.value

export const attributeValues = (attributes: Attribute[], name: string): string[] =>
  attributes.flatMap((attribute) =>
    attribute.name === name && attribute.value !== undefined ? [attribute.value] : [],
  )

export const hasAttribute = (attributes: Attribute[], name: string): boolean =>
  attributes.some((attribute) => attribute.name === name)
