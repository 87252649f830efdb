import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

import { onTestFinished } from 'vitest'

import { afterFile } from '../after-file.ts'

/** When a connection breaks: as the client sends `word`, before it reaches the server or after the server responds. */
export interface Break {
  word: string
  when: 'before it is heard' | 'before its answer'
  how: 'end' | 'reset'
}

export interface PostgresProxy {
  address: { host: string; port: number }
  /** Breaks all connections whenever one of them reaches `at`, up to `times` times. */
  breakAll(at: Break, times: number): void
  breaksLeft(): number
  /** How often data of the client did not reach the server. */
  refusals(): number
  connections(): number
  /** The statements that clients have sent so far, by the writes in which they arrived. */
  sent(): readonly string[][]
  /** Makes PostgreSQL unreachable until the returned function is called. */
  cut(): () => void
  /** The next transaction that contains `word` commits, but its client gets no response. */
  hideCommitOf(word: string): void
  /** The same for one whose statements have results before it commits: only the end of the commit is missing. */
  hideEndOf(word: string): void
  /** Statements with `word` reach PostgreSQL garbled and fail with a syntax error, this many times. */
  garble(word: string, times: number): void
  /** Holds back all data without breaking connections, until the returned function is called. */
  silence(): () => void
}

/** A proxy between the driver and PostgreSQL, whose socket is at `path`. Closed after the file's tests. */
export async function startPostgresProxy(path: string): Promise<PostgresProxy> {
  const clients = new Set<Socket>()
  let at: Break | undefined
  let left = 0
  let refusals = 0
  const sent: string[][] = []

  const breakNow = () => {
    left--
    for (const client of clients) {
      if (at?.how === 'reset') client.resetAndDestroy()
      else client.destroy()
    }
  }
  let isCut = false
  let isSilent = false
  /** Where the response to a word is cut off. */
  let hidden: { word: string; from: 'COMMIT' | typeof READY } | undefined
  let garbled = { word: '', times: 0 }
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(path)
    clients.add(client)
    let answerIsLast = false
    let hiddenFrom: string | undefined
    let isHidden = false
    const read = readStatements()
    client.on('data', (bytes) => {
      sent.push(read(bytes))
      const isAt = left > 0 && at !== undefined && bytes.includes(at.word)
      if (isAt && at?.when === 'before it is heard') {
        refusals++
        return breakNow()
      }
      answerIsLast = isAt
      if (hidden !== undefined && bytes.includes(hidden.word)) {
        hiddenFrom = hidden.from
        hidden = undefined
      }
      const place = garbled.times > 0 ? bytes.indexOf(garbled.word) : -1
      if (place !== -1) {
        garbled.times--
        bytes.fill('?', place, place + garbled.word.length)
      }
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (answerIsLast && left > 0) return breakNow()
      const end = hiddenFrom === undefined ? -1 : bytes.indexOf(hiddenFrom)
      if (isHidden) return
      isHidden = end !== -1
      client.write(isHidden ? bytes.subarray(0, end) : bytes)
    })
    if (isSilent) client.pause()
    client.on('error', () => {})
    upstream.on('error', () => client.destroy())
    upstream.on('close', () => client.end())
    client.on('close', () => {
      clients.delete(client)
      upstream.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterFile(() => {
    for (const client of clients) client.destroy()
    server.close()
  })
  return {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    breakAll(where, times) {
      at = where
      left = times
    },
    breaksLeft: () => left,
    refusals: () => refusals,
    connections: () => clients.size,
    sent: () => sent,
    cut() {
      isCut = true
      for (const client of clients) client.destroy()
      const mend = () => (isCut = false)
      onTestFinished(() => void mend())
      return mend
    },
    hideCommitOf(word) {
      hidden = { word, from: 'COMMIT' }
    },
    hideEndOf(word) {
      hidden = { word, from: READY }
    },
    garble(word, times) {
      garbled = { word, times }
    },
    silence() {
      isSilent = true
      for (const client of clients) client.pause()
      const mend = () => {
        isSilent = false
        for (const client of clients) client.resume()
      }
      onTestFinished(mend)
      return mend
    },
  }
}

/** How the message ReadyForQuery begins. */
const READY = 'Z\0\0\0'
const [PARSE, BIND, QUERY] = Buffer.from('PBQ')
const LENGTH_BYTES = 4

/** Reads the statements in what one client sends. The first message, which begins the session, has no type. */
function readStatements(): (bytes: Buffer) => string[] {
  const prepared = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let typeBytes = 0

  function statementIn(message: Buffer): string | undefined {
    const [first = '', second = ''] = message.toString('latin1', 1 + LENGTH_BYTES).split('\0')
    if (message[0] === PARSE) prepared.set(first, second)
    if (message[0] === BIND) return prepared.get(second)
    return message[0] === QUERY ? first : undefined
  }

  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const statements: string[] = []
    while (rest.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < end) break
      const statement = typeBytes > 0 ? statementIn(rest.subarray(0, end)) : undefined
      if (statement !== undefined) statements.push(statement)
      rest = rest.subarray(end)
      typeBytes = 1
    }
    return statements
  }
}
