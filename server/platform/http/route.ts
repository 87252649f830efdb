import type { z } from 'zod'

import type { Batches } from '../async/batches.ts'
import type { FieldErrors } from '../errors.ts'

/** An employee, acting for a company. */
export interface Actor {
  companyId: string
  employeeId: string
}

/** What a request was authenticated with. What it creates may have to end with it. */
export interface Credential {
  kind: 'session' | 'api_key' | 'oauth_grant'
  id: string
}

/** The actor of a request. */
export interface RequestActor extends Actor {
  credential: Credential
}

/** When a route responds with a status, and the fields of that body beside those of every error. */
export interface Refusal {
  when: string
  body?: z.ZodObject
}

/** The tools for language models that a client lists at first, and those it has to ask for. */
export type ToolSet = 'everyday' | 'administration'

/** What only the page of a person in a browser can use has no tool. */
export type ToolPlace = ToolSet | 'none'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

type Answer<R> =
  R extends z.ZodArray<z.ZodType>
    ? InBatches<R>
    : R extends z.ZodObject<infer Shape>
      ? z.output<R> | { [Field in keyof Shape]: InBatches<Shape[Field]> }
      : R extends z.ZodType
        ? z.output<R>
        : void

type Answered<R> = Answer<R> | Replayed<Answer<R>> | typeof NO_CONTENT

/** Wherever an array is declared, its items may come in batches. */
type InBatches<S> = z.output<S> | (S extends z.ZodArray<infer Item> ? Batches<z.output<Item>> : never)

/** The response to a repeated idempotency key: 200, marked as a replay, without any effect. */
export class Replayed<T> {
  readonly answer: T

  constructor(answer: T) {
    this.answer = answer
  }
}

/** The response of a route that declares `mayBeEmpty`, if there is no content: 204. */
export const NO_CONTENT = Symbol('nothing to tell')

interface Declaration<P, Q, B, R> {
  method: Method
  /** Below /api/v1, with `:name` for parameters. */
  path: string
  /** The operation's name in the API document and for tools: verb and noun. */
  name: string
  summary: string
  /** Throws if the route does not exist for this actor. Called before the request is parsed. */
  require?: (actor: Actor) => Promise<void>
  /** Ids in the path; a malformed id gives a 404. */
  params?: P
  query?: Q
  body?: B
  /** Called if the body is invalid: errors that the schema cannot find, because they depend on the company. */
  findMoreErrors?: (actor: Actor, body: unknown) => Promise<FieldErrors>
  /** The body may also be form-encoded; then its values are strings. */
  acceptsForm?: boolean
  /** A valid body, for the API document. */
  example?: unknown
  /** Kept for older clients; hidden from new ones at first. */
  deprecated?: boolean
  /** Where its tool is listed: `everyday` if it is not said, and nowhere if the route is deprecated. */
  toolSet?: ToolPlace
  /** Input that the handler itself requires, because its absence has an error of its own. */
  mandatory?: string[]
  /** Accepts an idempotency key; the response may be `Replayed`. */
  idempotent?: boolean
  /** There may be no content: then the response is `NO_CONTENT`. */
  mayBeEmpty?: boolean
  /** For a GET that may create something. */
  mayAdd?: boolean
  /** The status of success and its body; null for none. */
  reply: Record<number, R>
  /** The statuses of errors that do not follow from the rest of the declaration (`server/api/refusals.ts`). */
  refusals?: Record<number, Refusal>
}

interface Request<P, Q, B> {
  actor: RequestActor
  params: Parsed<P>
  query: Parsed<Q>
  body: Parsed<B>
  /** The header Idempotency-Key, for an idempotent route. */
  idempotencyKey?: string
  /** The IP address of the client. */
  address: string
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

type Unparsed = Omit<Request<unknown, unknown, unknown>, 'params' | 'query' | 'body'>

export interface Route extends Omit<Declaration<z.ZodObject, z.ZodObject, z.ZodType, never>, 'reply'> {
  status: number
  reply: z.ZodType | null
  handle(request: Unparsed & Record<'params' | 'query' | 'body', unknown>): unknown
}

/** A route is declared once: validation, types, the check of the response and the API document come from here. */
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
