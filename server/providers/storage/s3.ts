import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

import { AwsClient } from 'aws4fetch'

import { safeKey } from './key.ts'
import type { Storage } from './port.ts'

export interface S3Options {
  /** The address of the service, without the bucket. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const LIMITS = { requestMs: 60_000, retries: 2 }

/** A bucket of any S3-compatible service, addressed by path. */
export function s3Storage({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Options): Storage {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    retries: LIMITS.retries,
  })
  const call = async (key: string, init: RequestInit, accepted: number[]): Promise<Response> => {
    const url = `${endpoint.replace(/\/+$/, '')}/${bucket}/${safeKey(key)}`
    const response = await client.fetch(url, { ...init, signal: AbortSignal.timeout(LIMITS.requestMs) })
    if (accepted.includes(response.status)) return response
    const answer = (await response.text()).slice(0, 300)
    throw new Error(`S3 answered ${response.status} to ${init.method} ${key}: ${answer}`)
  }
  return {
    async put(key, bytes) {
      await call(key, { method: 'PUT', body: new Uint8Array(bytes) }, [200])
    },
    async size(key) {
      const response = await call(key, { method: 'HEAD' }, [200, 404])
      return response.status === 404 ? undefined : Number(response.headers.get('content-length'))
    },
    async read(key, range) {
      const headers = range && { range: `bytes=${range.start}-${range.end}` }
      const response = await call(key, { method: 'GET', headers }, [200, 206])
      return Readable.fromWeb(response.body as ReadableStream)
    },
    async remove(key) {
      await call(key, { method: 'DELETE' }, [200, 204, 404])
    },
  }
}
