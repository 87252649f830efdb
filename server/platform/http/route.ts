import type { z } from 'zod'

/** Who asks: an employee, acting for a company. */
export interface Actor {
  companyId: string
  employeeId: string
}

/** What somebody was let in with. What they make with it may have to end with it. */
export interface Credential {
  kind: 'session' | 'api_key' | 'oauth_grant'
  id: string
}

/** An actor who sends a request. */
export interface Caller extends Actor {
  credential: Credential
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The answer of a long list: its items in batches, so that none of its length is held in memory. */
export type Batches<T> = AsyncIterable<T[]>

type Answer<R> =
  R extends z.ZodArray<z.ZodType>
    ? InBatches<R>
    : R extends z.ZodObject<infer Shape>
      ? z.output<R> | { [Field in keyof Shape]: InBatches<Shape[Field]> }
      : R extends z.ZodType
        ? z.output<R>
        : void

type Answered<R> = Answer<R> | Replayed<Answer<R>> | typeof NOTHING

/** Wherever an array is declared, its items may come in batches. */
type InBatches<S> = z.output<S> | (S extends z.ZodArray<infer Item> ? Batches<z.output<Item>> : never)

/** The answer to a request whose key was seen before: 200, marked as what it is, and nothing was done. */
export class Replayed<T> {
  readonly answer: T

  constructor(answer: T) {
    this.answer = answer
  }
}

/** The answer of a route that has nothing to tell, where it declares that it may not: 204. */
export const NOTHING = Symbol('nothing to tell')

interface Declaration<P, Q, B, R> {
  method: Method
  /** Below /api/v1, with `:name` for parameters. */
  path: string
  /** The operation's name in the API document and for tools: verb and noun. */
  name: string
  summary: string
  /** Throws for whom the route is not there at all. Asked before anything of the request is looked at. */
  require?: (actor: Actor) => Promise<void>
  /** Ids in the path; one that cannot be an id is not found. */
  params?: P
  query?: Q
  body?: B
  /** The body may also come form-encoded; its values are then texts. */
  acceptsForm?: boolean
  /** A body that passes, for the API document. */
  example?: unknown
  /** Kept for older clients; left out of what new ones are shown first. */
  deprecated?: boolean
  /** Takes a key by which a repeated request is known; it may be answered with `Replayed`. */
  idempotent?: boolean
  /** There may be nothing to tell: such an answer is `NOTHING`. */
  mayBeEmpty?: boolean
  /** Of a GET: something may be there afterwards that was not there before. */
  mayAdd?: boolean
  /** The one status of success and its body; null for none. */
  reply: Record<number, R>
}

interface Request<P, Q, B> {
  actor: Caller
  params: Parsed<P>
  query: Parsed<Q>
  body: Parsed<B>
  /** The header Idempotency-Key, of an idempotent route. */
  idempotencyKey?: string
  /** Where the request comes from, as an IP address. */
  address: string
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

export interface Route {
  method: Method
  path: string
  name: string
  summary: string
  require?: (actor: Actor) => Promise<void>
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  acceptsForm?: boolean
  example?: unknown
  deprecated?: boolean
  idempotent?: boolean
  mayBeEmpty?: boolean
  mayAdd?: boolean
  status: number
  reply: z.ZodType | null
  handle(request: {
    actor: Caller
    params: unknown
    query: unknown
    body: unknown
    idempotencyKey?: string
    address: string
  }): unknown
}

/** A route is declared once: from here come validation, types, the check of the answer and the API document. */
export function route<
  R extends z.ZodType | null,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  declaration: Declaration<P, Q, B, R>,
  handle: (request: Request<P, Q, B>) => Answered<R> | Promise<Answered<R>>,
): Route {
  const { reply: replies, ...rest } = declaration
  const [status, reply] = Object.entries(replies)[0] as [string, R]
  return { ...rest, status: Number(status), reply, handle }
}
