/** The part of JSON Schema in which the inputs of routes are written. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  oneOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  const?: unknown
  enum?: unknown[]
  pattern?: string
  description?: string
  [keyword: string]: unknown
}

/**
 * The same schema in fewer words, because a language model reads the schemas of all tools: each value has one form, an
 * object that has several becomes one with optional fields, and what only a program would check is left to the route.
 */
export function shorten(schema: JsonSchema): JsonSchema {
  const { oneOf, anyOf, ...rest } = schema
  const forms = oneOf ?? anyOf
  if (!forms) return shortenOne(schema)
  const objects = forms.filter(({ properties }) => properties)
  const isNullable = forms.some(({ type }) => type === 'null')
  const form = objects.length > 0 ? mergeObjects(objects) : strictest(forms)
  const one = shortenOne({ ...form, ...rest })
  return isNullable ? orNull(one) : one
}

function shortenOne({
  $schema: _schema,
  examples: _examples,
  const: constant,
  ...schema
}: JsonSchema): JsonSchema {
  const { properties, items, pattern, minimum, maximum } = schema
  if (constant !== undefined) schema.enum = [constant]
  if (properties) {
    const short = Object.entries(properties).map(([name, one]) => [name, shorten(one)])
    schema.properties = Object.fromEntries(short) as Record<string, JsonSchema>
  }
  if (items) schema.items = shorten(items)
  // An id: which kind it is says enough.
  if (pattern) schema.pattern = pattern.replace(/^(\^[a-z]{3}_).*/, '$1')
  if (minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.type === 'number' && schema.enum?.every(Number.isInteger)) schema.type = 'integer'
  return schema
}

const STRICTEST_FIRST = ['boolean', 'integer', 'number', 'array', 'string']

/** The other forms are for clients that can send only text, such as an HTML form. */
function strictest(forms: JsonSchema[]): JsonSchema {
  const strict = STRICTEST_FIRST.find((type) => forms.some((form) => form.type === type))
  return forms.find(({ type }) => type === strict)!
}

function orNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  return { type: [type as string, 'null'], ...(values && { enum: [...values, null] }), ...rest }
}

/** One object with the fields of all; a field that only some have says with which value of the others' it belongs. */
function mergeObjects(objects: JsonSchema[]): JsonSchema {
  const names = [...new Set(objects.flatMap(({ properties }) => Object.keys(properties!)))]
  const kind = names.find((name) => objects.every(({ properties }) => isConstant(properties![name])))!
  const properties = names.map((name) => {
    const having = objects.filter((object) => object.properties![name])
    const [field] = having.map((object) => object.properties![name]!)
    if (name === kind) return [name, mergeConstants(having.map((object) => object.properties![kind]!))]
    if (having.length === objects.length) return [name, field]
    const kinds = having.map((object) => object.properties![kind]!.const as string)
    const description = `${field!.description ?? ''} For ${kinds.join(' and ')}.`.trim()
    return [name, { ...field, description }]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
    required: names.filter((name) => objects.every(({ required }) => required?.includes(name))),
  }
}

const isConstant = (field: JsonSchema | undefined) => field?.const !== undefined || field?.type === 'null'

function mergeConstants(fields: JsonSchema[]): JsonSchema {
  const descriptions = fields.flatMap(({ description }) => description ?? [])
  const isNullable = fields.some(({ type }) => type === 'null')
  return {
    type: isNullable ? ['string', 'null'] : 'string',
    enum: fields.map((field) => field.const ?? null),
    ...(descriptions.length > 0 && { description: descriptions.join(' ') }),
  }
}
