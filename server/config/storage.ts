import { statSync } from 'node:fs'
import { resolve } from 'node:path'

import { z } from 'zod'

import { baseAddress, databaseAddress, type Environment, variables, wholeNumber } from './variables.ts'

const DATABASE_DESCRIPTION =
  'the address of a PostgreSQL database, such as postgres://user:password@host:5432/bellhop; of several hosts, ' +
  'separated by commas, the one is used that accepts writes (target_session_attrs: read-write, primary or any)'

/** Where data is kept: rows in the database, recordings in a bucket or the data folder. */
export const storage = variables({
  BELLHOP_DATA_DIR: [z.string().refine(mayBeFolder).default('./data'), 'a folder'],
  DATABASE_URL: [databaseAddress().optional(), DATABASE_DESCRIPTION],
  DATABASE_DIRECT_URL: [databaseAddress().optional(), DATABASE_DESCRIPTION],
  DATABASE_POOL_SIZE: [wholeNumber(1, 500).default(10), 'a number of connections from 1 to 500'],
  S3_URL: [
    baseAddress().optional(),
    'the address of an S3-compatible service, such as https://s3.eu-central-1.amazonaws.com',
  ],
  S3_BUCKET: [
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
      .optional(),
    'the name of a bucket',
  ],
  S3_REGION: [z.string().default('us-east-1'), 'the region of the bucket'],
  S3_ACCESS_KEY_ID: [z.string().optional(), 'the id of an access key'],
  S3_SECRET_ACCESS_KEY: [z.string().optional(), 'the secret of the access key'],
})

export function readStorage(environment: Environment) {
  const given = storage.read(environment)
  storage.together(given, ['DATABASE_URL'], given.DATABASE_DIRECT_URL && 'DATABASE_DIRECT_URL is set')
  const bucket = storage.together(given, ['S3_URL', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
  return {
    dataDir: resolve(given.BELLHOP_DATA_DIR),
    databaseUrl: given.DATABASE_URL,
    databaseDirectUrl: given.DATABASE_DIRECT_URL,
    databasePoolSize: given.DATABASE_POOL_SIZE,
    s3: bucket && {
      endpoint: bucket.S3_URL,
      bucket: bucket.S3_BUCKET,
      region: given.S3_REGION,
      accessKeyId: bucket.S3_ACCESS_KEY_ID,
      secretAccessKey: bucket.S3_SECRET_ACCESS_KEY,
    },
  }
}

/** True if nothing is there yet. If we may not look, the code that needs the folder reports why. */
function mayBeFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? true
  } catch {
    return true
  }
}
