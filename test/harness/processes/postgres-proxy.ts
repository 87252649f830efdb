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
  /** Makes PostgreSQL unreachable until the returned function is called. */
  cut(): () => void
  /** The next transaction that contains `word` commits, but its client gets no response. */
  hideCommitOf(word: string): void
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

  const breakNow = () => {
    left--
    for (const client of clients) {
      if (at?.how === 'reset') client.resetAndDestroy()
      else client.destroy()
    }
  }
  let isCut = false
  let isSilent = false
  let hidden: string | undefined
  let garbled = { word: '', times: 0 }
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = connect(path)
    clients.add(client)
    let answerIsLast = false
    let commitIsHidden = false
    let isHidden = false
    client.on('data', (bytes) => {
      const isAt = left > 0 && at !== undefined && bytes.includes(at.word)
      if (isAt && at?.when === 'before it is heard') {
        refusals++
        return breakNow()
      }
      answerIsLast = isAt
      if (hidden !== undefined && bytes.includes(hidden)) {
        hidden = undefined
        commitIsHidden = true
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
      isHidden ||= commitIsHidden && bytes.includes('COMMIT')
      if (isHidden) return
      client.write(bytes)
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
    cut() {
      isCut = true
      for (const client of clients) client.destroy()
      const mend = () => (isCut = false)
      onTestFinished(() => void mend())
      return mend
    },
    hideCommitOf(word) {
      hidden = word
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
