import type { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'

import type { FairTurn, FairTurns } from '../platform/async/fair-turns.ts'
import { lazy } from '../platform/async/lazy.ts'
import { fieldErrors, notFound, validationFailed } from '../platform/errors.ts'
import { NO_CONTENT, Replayed, type RequestActor, type Route } from '../platform/http/route.ts'
import { type InTurn, streamerOf } from './reply/json-stream.ts'
import { encoderOf } from './reply/reply-encoder.ts'
import { isForm, unsupportedMediaType } from './request/bodies.ts'
import { noteRequest } from './request/request-log.ts'

/** Serves a declared route. */
export function mount(
  app: FastifyInstance,
  route: Route,
  { actorOf, turns }: { actorOf: (request: FastifyRequest) => RequestActor; turns: FairTurns },
): void {
  // A start would wait for the writers of hundreds of routes.
  const writer = lazy(() => writerOf(route))
  const { require } = route
  const answer = async (request: FastifyRequest, reply: FastifyReply, turn: FairTurn) => {
    noteRequest(request)
    if (route.body && isForm(request) && !route.acceptsForm) throw unsupportedMediaType
    const params = route.params ? parseOr(route.params, request.params, notFound) : undefined
    const query = route.query ? parse(route.query, request.query) : undefined
    const body = route.body ? await parseBody(route, route.body, actorOf(request), request.body) : undefined
    const idempotencyKey = route.idempotent ? keyOf(request) : undefined
    const outcome = await route.handle({
      actor: actorOf(request),
      params,
      query,
      body,
      idempotencyKey,
      address: request.ip,
    })
    noteRequest(request)
    if (outcome === NO_CONTENT && route.mayBeEmpty) {
      reply.code(204)
      return undefined
    }
    const replayed = outcome instanceof Replayed
    const content: unknown = replayed ? outcome.answer : outcome
    reply.code(replayed ? 200 : route.status)
    if (replayed) reply.header('idempotent-replayed', 'true')
    if (route.reply) reply.type('application/json; charset=utf-8')
    // Returned, not sent: if the reply itself is returned, the framework waits for its end.
    return writer()(content, turn, (work) => turns.run(actorOf(request).companyId, work))
  }
  app.route({
    method: route.method,
    url: route.path,
    ...(require && { onRequest: async (request: FastifyRequest) => require(actorOf(request)) }),
    handler: (request, reply) =>
      turns.run(actorOf(request).companyId, (turn) => answer(request, reply, turn)),
  })
}

/** Two such headers count as none. */
function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  return Array.isArray(key) ? '' : key
}

/** A response that does not match its declaration throws here and becomes a 500; it is never sent in part. */
function writerOf({
  reply: declared,
}: Route): (answer: unknown, turn: FairTurn, inTurn: InTurn) => string | undefined | Promise<Readable> {
  if (!declared) return () => undefined
  const encode = encoderOf(declared)
  const stream = streamerOf(declared)
  return (answer, turn, inTurn) => stream(answer, turn, inTurn) ?? JSON.stringify(encode(answer))
}

/** No body counts as an empty object. */
async function parseBody(
  { findMoreErrors }: Route,
  schema: z.ZodType,
  actor: RequestActor,
  input: unknown = {},
): Promise<unknown> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw validationFailed({ ...(await findMoreErrors?.(actor, input)), ...fieldErrors(result.error) })
}

function parse(schema: z.ZodType, input: unknown): unknown {
  return parseOr(schema, input, (error) => validationFailed(fieldErrors(error)))
}

function parseOr(schema: z.ZodType, input: unknown, refusal: (error: z.ZodError) => Error): unknown {
  const result = schema.safeParse(input)
  if (!result.success) throw refusal(result.error)
  return result.data
}
