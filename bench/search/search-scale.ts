/**
 * Claim: a search among 100,000 transcripts takes at most 3 times as long as in an installation with 1,000, as a whole
 * and also without the embedding of the query, which takes the same time everywhere; and of the ten calls that are
 * truly nearest, cells and signs find at least 90 in 100.
 */
import { createEmbeddedEmbedder } from '../../server/embeddings/embedded/embedder.ts'
import { type Embedder, ofLengthOne } from '../../server/embeddings/port.ts'
import { cosine, signsOf, unpackVector } from '../../server/modules/calls/meanings/vectors.ts'
import { selectNearest } from '../../server/modules/calls/search/nearest-queries.ts'
import { searchCalls } from '../../server/modules/calls/search/search.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { createLog } from '../../server/platform/log.ts'
import { withFixture, type Fixture, type FixtureCompany } from '../fixture.ts'
import { type Bench, compare, type Contender, type Finding, TIMINGS } from '../measure.ts'
import { COMMON_WORD, seedCalls } from '../seed.ts'
import { readCorpus } from './search-corpus.ts'
import { blend, embedSentences, seedMeanings, type Vector } from './seed-meanings.ts'

const TRANSCRIPTIONS = { many: 100_000, few: 1_000 }
const GOALS = { speed: 1 / 3, recall: 0.9 }
const TOP = 10
const RECALL_QUERIES = 20

const SIDES: [string, string] = ['100,000 transcriptions:', '1,000 transcriptions:']
const log = createLog({ level: 'warn' })

export const searchScale: Bench = {
  name: 'search-scale',
  // Each has its own database, because all companies of a database share its keyword indexes.
  run: () => withFixture((large) => withFixture((small) => measure(large, small))),
}

async function measure(large: Fixture, small: Fixture): Promise<Finding[]> {
  const embedder = createEmbeddedEmbedder({ clock: systemClock, log })
  try {
    const corpus = await readCorpus('english')
    const blends = blend(await embedSentences(embedder, corpus))
    const few = await fill(small, TRANSCRIPTIONS.few, embedder.model, blends)
    const many = await fill(large, TRANSCRIPTIONS.many, embedder.model, blends)
    const questions = corpus.questions.map(([question]) => `${question} ${COMMON_WORD}`)
    const ready = await prepare(embedder, questions)
    return [
      {
        what: 'GET /calls?query= one by one, answers/s',
        sides: SIDES,
        goal: GOALS.speed,
        ...(await compare(await requests(many, questions), await requests(few, questions), TIMINGS.steady)),
      },
      {
        what: 'searches/s one by one, with the vector of the query ready',
        sides: SIDES,
        goal: GOALS.speed,
        ...(await compare(searches(many, questions, ready), searches(few, questions, ready), TIMINGS.brisk)),
      },
      await recall(many, embedder.model, blends),
    ]
  } finally {
    await embedder.close()
  }
}

interface Filled {
  fixture: Fixture
  company: FixtureCompany
  vectors: Vector[]
}

/** Every second call is transcribed. */
async function fill(
  fixture: Fixture,
  transcriptions: number,
  model: string,
  blends: Iterator<Float32Array>,
): Promise<Filled> {
  const company = await fixture.addCompany()
  await seedCalls(fixture.db, [{ ...company, calls: 2 * transcriptions }])
  return { fixture, company, vectors: await seedMeanings(fixture.db, company.companyId, model, blends) }
}

/** One by one: many at once would wait for the engine until only keywords count. */
async function requests({ fixture, company }: Filled, questions: string[]): Promise<Contender> {
  const url = await fixture.startBellhop()
  return searching(questions, async (question) => {
    const answer = await fetch(url + pathOf(question), { headers: { 'x-api-key': company.apiKey } })
    if (answer.status !== 200) throw new Error(`${question} answered ${answer.status}`)
    await answer.arrayBuffer()
  })
}

function searches({ fixture, company }: Filled, questions: string[], embedder: Embedder): Contender {
  const parts = { sql: fixture.sql, embedder, clock: systemClock, log }
  return searching(questions, (question) => searchCalls(parts, company.companyId, {}, question))
}

const pathOf = (query: string) => `/api/v1/calls?${new URLSearchParams({ query }).toString()}`

/** Returns at once what the engine returned earlier. */
async function prepare(embedder: Embedder, questions: string[]): Promise<Embedder> {
  const known = new Map<string, Float32Array>()
  for (const question of questions) known.set(question, (await embedder.embed([question]))[0]!)
  return { ...embedder, embed: async (texts) => texts.map((text) => known.get(text)!) }
}

function searching(questions: string[], search: (question: string) => Promise<unknown>): Contender {
  let asked = 0
  return async (ms) => {
    const start = performance.now()
    let answered = 0
    while (performance.now() - start < ms) {
      await search(questions[asked++ % questions.length]!)
      answered++
    }
    return (answered / (performance.now() - start)) * 1000
  }
}

/** How many of the calls that an exhaustive comparison ranks first, the search finds too. */
async function recall(
  { fixture: { sql }, company: { companyId }, vectors }: Filled,
  model: string,
  blends: Iterator<Float32Array>,
): Promise<Finding> {
  let found = 0
  for (let query = 0; query < RECALL_QUERIES; query++) {
    const aim = ofLengthOne(blends.next().value as Float32Array)
    const truth = best(
      vectors.map(({ callId, packed }) => ({ callId, cosine: cosine(aim, unpackVector(packed)) })),
    )
    const near = await selectNearest(sql, companyId, {}, { model, signs: signsOf(aim) }, [])
    const seen = best(
      near.map(({ callId, vector }) => ({ callId, cosine: cosine(aim, unpackVector(vector)) })),
    )
    found += truth.filter((callId) => seen.includes(callId)).length
  }
  const all = RECALL_QUERIES * TOP
  const ratio = found / all
  return {
    what: `of the ${TOP} nearest calls of 100,000, found by their cells and signs`,
    sides: ['found:', 'of:'],
    goal: GOALS.recall,
    first: found,
    second: all,
    ratio,
    spread: [ratio, ratio],
    rounds: RECALL_QUERIES,
  }
}

function best(scored: { callId: string; cosine: number }[]): string[] {
  const ranked = scored.toSorted((a, b) => b.cosine - a.cosine)
  return [...new Set(ranked.slice(0, TOP * 5).map(({ callId }) => callId))].slice(0, TOP)
}
