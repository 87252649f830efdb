import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { AwsV4Signer } from 'aws4fetch'
import { type Dispatcher, request } from 'undici'

import type { Clock } from '../../platform/clock.ts'
import { safeKey } from './key.ts'
import { STORAGE_LIMITS } from './limits.ts'
import type { Storage } from './port.ts'

export interface S3Options {
  /** Base URL of the service, without the bucket. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

interface S3Request {
  method: 'PUT' | 'HEAD' | 'GET' | 'DELETE'
  key: string
  body?: Upload
  headers?: Record<string, string>
}

interface Upload {
  /** SHA-256, in hexadecimal digits. With it signed, an upload that was corrupted on the way is refused. */
  digest: string
  bytes: number
  /** Once for each attempt. */
  open(): Buffer | Readable
}

const DIGEST_OF_NOTHING = createHash('sha256').digest('hex')

/** A bucket of any S3-compatible service, with path-style URLs. */
export function s3Storage(
  { endpoint, bucket, ...credentials }: S3Options,
  clock: Clock,
  limits = STORAGE_LIMITS,
): Storage {
  const root = `${endpoint.replace(/\/+$/, '')}/${bucket}`

  const send = async ({ method, key, body, headers }: S3Request) => {
    const url = `${root}/${safeKey(key)}`
    const signer = new AwsV4Signer({
      ...credentials,
      service: 's3',
      method,
      url,
      headers: { ...headers, 'x-amz-content-sha256': body?.digest ?? DIGEST_OF_NOTHING },
    })
    const signed = Object.fromEntries((await signer.sign()).headers)
    const timing = { headersTimeout: limits.answerMs, bodyTimeout: limits.silenceMs }
    if (!body) return request(url, { method, headers: signed, ...timing })
    const sized = { ...signed, 'content-length': String(body.bytes) }
    return request(url, { method, body: body.open(), headers: sized, ...timing })
  }

  /** All requests are idempotent, so they may be retried. */
  const call = async (wanted: S3Request, accepted: number[]): Promise<Dispatcher.ResponseData> => {
    for (let attempt = 1; ; attempt++) {
      const outcome = await send(wanted).catch((error: Error) => error)
      const passing = outcome instanceof Error ? isBroken(outcome) : isBusy(outcome.statusCode)
      if (!passing || attempt === limits.attempts) {
        if (outcome instanceof Error) throw outcome
        if (accepted.includes(outcome.statusCode)) return outcome
        const complaint = await complaintOf(outcome)
        throw new Error(`S3 answered ${outcome.statusCode} to ${wanted.method} ${wanted.key}: ${complaint}`)
      }
      if (!(outcome instanceof Error)) await outcome.body.dump()
      await new Promise<void>((resolve) => clock.after(limits.pauseMs * 2 ** (attempt - 1), resolve))
    }
  }

  const upload = async (key: string, body: Upload) => {
    await (await call({ method: 'PUT', key, body }, [200])).body.dump()
  }

  return {
    put: (key, bytes) =>
      upload(key, {
        digest: createHash('sha256').update(bytes).digest('hex'),
        bytes: bytes.length,
        open: () => bytes,
      }),
    async putFile(key, file) {
      const hash = createHash('sha256')
      await pipeline(createReadStream(file), hash)
      const { size } = await stat(file)
      await upload(key, { digest: hash.digest('hex'), bytes: size, open: () => createReadStream(file) })
    },
    async size(key) {
      const { statusCode, headers, body } = await call({ method: 'HEAD', key }, [200, 404])
      await body.dump()
      return statusCode === 404 ? undefined : Number(headers['content-length'])
    },
    async read(key, range) {
      if (!range) return (await call({ method: 'GET', key }, [200])).body
      const headers = { range: `bytes=${range.start}-${range.end}` }
      return (await call({ method: 'GET', key, headers }, [206])).body
    },
    async remove(key) {
      const answer = await call({ method: 'DELETE', key }, [200, 204, 404])
      const complaint = await complaintOf(answer)
      // Some services return 404 for a file that is already gone, and all of them for a missing bucket.
      if (complaint.includes('NoSuchBucket')) throw new Error(`S3 has no bucket ${bucket}: ${complaint}`)
    },
  }
}

const isBusy = (status: number) => status === 429 || status >= 500

/** A connection that was idle for too long breaks. Timeouts are not retried. */
const isBroken = (error: Error) => ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error))

const codeOf = (error: NodeJS.ErrnoException) => error.code ?? ''

/** The error message of S3, which may be long or endless. */
async function complaintOf({ body }: Dispatcher.ResponseData): Promise<string> {
  let text = ''
  for await (const chunk of body.setEncoding('utf8')) {
    text += chunk
    if (text.length >= STORAGE_LIMITS.complaintCharacters) break
  }
  return text.slice(0, STORAGE_LIMITS.complaintCharacters)
}
