import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { readWav } from '../sound/wav-analysis.ts'

export interface OpenAiRequest {
  path: string
  headers: IncomingHttpHeaders
  /** The fields of a form, without its file. */
  fields: Record<string, string>
  /** The file of a form. */
  file: Buffer | undefined
  /** The body of a request that is not a form. */
  json: any
}

/** An endpoint that responds as OpenAI's does, or as the test wants. */
export interface OpenAiServer {
  /** Includes `/v1`. */
  url: string
  asked: OpenAiRequest[]
  /** Undefined: it responds with `words`. */
  answer: ((asked: OpenAiRequest, response: ServerResponse) => void | Promise<void>) | undefined
  /** The transcript of any speech, and also of silence, from which such models make up words. */
  words: string
  close(): Promise<void>
}

export async function startOpenAiServer(words = 'Thank you for watching.'): Promise<OpenAiServer> {
  const server = createServer(async (request, response) => {
    const asked = read(request.url ?? '', request.headers, await buffer(request))
    peer.asked.push(asked)
    if (peer.answer) await peer.answer(asked, response)
    else sayJson(response, 200, hear(asked.file!, peer.words))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const peer: OpenAiServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked: [],
    answer: undefined,
    words,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return peer
}

/** Louder than this is speech. */
const LOUD = 0.02
const PAUSE_SECONDS = 1

/** A segment after each longer pause. */
function hear(file: Buffer, words: string) {
  const { samples, sampleRate } = readWav(file)
  const starts: number[] = []
  let loudAt = -Infinity
  for (const [i, sample] of samples.entries()) {
    if (Math.abs(sample) < LOUD) continue
    const at = i / sampleRate
    if (at - loudAt > PAUSE_SECONDS) starts.push(at)
    loudAt = at
  }
  const segments = (starts.length > 0 ? starts : [0]).map((start) => ({
    start,
    end: start + 1,
    text: ` ${words}`,
  }))
  return { text: segments.map(() => words).join(' '), segments }
}

export function sayJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function read(path: string, headers: IncomingHttpHeaders, body: Buffer): OpenAiRequest {
  const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1]
  const asked: OpenAiRequest = { path, headers, fields: {}, file: undefined, json: undefined }
  if (boundary === undefined) return { ...asked, json: JSON.parse(body.toString()) }
  // As latin1, which preserves every byte of a file.
  for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.slice(2, -2).split('\r\n\r\n')
    const content = Buffer.from(rest.join('\r\n\r\n'), 'latin1')
    if (head.includes('filename=')) asked.file = content
    else asked.fields[/name="([^"]+)"/.exec(head)?.[1] ?? ''] = content.toString()
  }
  return asked
}
