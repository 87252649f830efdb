import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { fieldErrors, notFound, validationFailed } from '../platform/errors.ts'
import type { Actor, Route } from '../platform/http/route.ts'
import { isBatches, streamArray } from './json-stream.ts'
import { type Encode, encoderOf } from './reply-encoder.ts'

/** Serves a declared route. */
export function mount(app: FastifyInstance, route: Route, actorOf: (request: FastifyRequest) => Actor): void {
  const send = senderOf(route)
  app.route({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      const params = route.params ? parseOr(route.params, request.params, notFound) : undefined
      const query = route.query ? parse(route.query, request.query) : undefined
      const body = route.body ? parse(route.body, request.body === undefined ? {} : request.body) : undefined
      const answer = await route.handle({ actor: actorOf(request), params, query, body })
      return send(reply.code(route.status), answer)
    },
  })
}

type Send = (reply: FastifyReply, answer: unknown) => FastifyReply | Promise<FastifyReply>

/** What does not match its declaration throws here and is a 500: our own fault, never sent half right. */
function senderOf({ reply: declared }: Route): Send {
  if (!declared) return (reply) => reply.send()
  const encode = encoderOf(declared)
  const encodeItem: Encode =
    declared instanceof z.ZodArray ? encoderOf(declared.element as z.ZodType) : encode
  return async (reply, answer) => {
    reply.type('application/json; charset=utf-8')
    if (isBatches(answer)) return reply.send(await streamArray(answer, encodeItem))
    return reply.send(JSON.stringify(encode(answer)))
  }
}

function parse(schema: z.ZodType, input: unknown): unknown {
  return parseOr(schema, input, (error) => validationFailed(fieldErrors(error)))
}

function parseOr(schema: z.ZodType, input: unknown, refusal: (error: z.ZodError) => Error): unknown {
  const result = schema.safeParse(input)
  if (!result.success) throw refusal(result.error)
  return result.data
}
