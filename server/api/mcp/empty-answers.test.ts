import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { NO_CONTENT, route } from '../../platform/http/route.ts'
import { mount } from '../mount.ts'
import { describeApi } from '../openapi.ts'
import { actorOf, requireActor } from '../request/authenticate.ts'
import { serveMcp } from './serve.ts'
import { createToolCalls } from './tool-calls.ts'
import { toolsOf } from './tools.ts'

const Weather = z.object({ sky: z.string() }).meta({ id: 'Weather' })
let sky: string | undefined

const getWeather = route(
  {
    method: 'GET',
    path: '/weather',
    name: 'get_weather',
    summary: 'Look out of the window',
    mayBeEmpty: true,
    reply: { 200: Weather },
  },
  () => (sky === undefined ? NO_CONTENT : { sky }),
)

let app: FastifyInstance
let url: string

beforeAll(async () => {
  app = Fastify()
  const credential = { kind: 'api_key' as const, id: '' }
  const anyone = { authenticate: () => ({ companyId: '', employeeId: '', credential }) }
  const nobody = { ...anyone, admit: async () => undefined }
  const credentials = { apiKeys: anyone, accessTokens: nobody }
  await serveMcp(app, {
    credentials,
    tools: () => toolsOf([getWeather]),
    issuer: () => url,
    version: '0',
    toolCalls: createToolCalls(),
  })
  await app.register(
    async (api) => {
      requireActor(api, credentials, { useOf: () => 'api' })
      mount(api, getWeather, { actorOf, turns: { run: (_, work) => work({ shouldBeShort: false }) } })
    },
    { prefix: '/api/v1' },
  )
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})

afterAll(() => app.close())

async function callTool() {
  const client = new Client({ name: 'test', version: '0' })
  const requestInit = { headers: { 'x-api-key': 'x' } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  try {
    return await client.callTool({ name: 'get_weather', arguments: {} })
  } finally {
    await client.close()
  }
}

test('a tool returns an object even if its route has no content', async () => {
  sky = undefined
  expect((await fetch(`${url}/api/v1/weather`, { headers: { 'x-api-key': 'x' } })).status).toBe(204)
  const empty = await callTool()
  expect(empty.isError).toBeUndefined()
  expect(empty.structuredContent).toEqual({ result: null })
  sky = 'clear'
  expect((await callTool()).structuredContent).toEqual({ result: { sky: 'clear' } })
})

test('the API document lists both responses', async () => {
  const { paths } = await describeApi([getWeather], { version: '0' })
  expect(paths).toMatchObject({
    '/api/v1/weather': { get: { responses: { 200: expect.anything(), 204: expect.anything() } } },
  })
})
