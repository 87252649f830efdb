/**
 * Claim: a search among 100,000 transcriptions takes at most 3 times what it takes among 1,000, as a whole and also
 * without the vector of the query, which takes the same time everywhere; and of the ten calls that are truly nearest
 * in meaning the cells show at least 85 in 100.
 */
import { createEmbeddedEmbedder } from '../server/embeddings/embedded/embedder.ts'
import { type Embedder, ofLengthOne } from '../server/embeddings/port.ts'
import { cosine, signsOf, unpackVector } from '../server/modules/calls/meanings/vectors.ts'
import { selectNearest } from '../server/modules/calls/search/nearest.ts'
import { searchCalls } from '../server/modules/calls/search/search.ts'
import { systemClock } from '../server/platform/clock.ts'
import type { Sql } from '../server/platform/db/database.ts'
import { createLog } from '../server/platform/log.ts'
import { type Bench, compare, type Contender, type Finding, PACES } from './measure.ts'
import { readCorpus } from './search-corpus.ts'
import { blend, embedSentences, seedMeanings, type Vector } from './seed-meanings.ts'
import { COMMON_WORD, seedCalls } from './seed.ts'
import { onStage, type StageCompany } from './stage.ts'

const TRANSCRIPTIONS = { many: 100_000, few: 1_000 }
const GOALS = { speed: 1 / 3, recall: 0.85 }
const TOP = 10
const RECALL_QUERIES = 20

export const searchScale: Bench = {
  name: 'search-scale',
  run: () =>
    onStage(async ({ db, addCompany, startBellhop }) => {
      const log = createLog({ level: 'warn' })
      const embedder = createEmbeddedEmbedder({ clock: systemClock, log })
      try {
        const corpus = await readCorpus('english')
        const blends = blend(await embedSentences(embedder, corpus))
        const [few, many] = [await addCompany(), await addCompany()]
        // Every second call is transcribed.
        await seedCalls(db, [
          { ...few, calls: 2 * TRANSCRIPTIONS.few },
          { ...many, calls: 2 * TRANSCRIPTIONS.many },
        ])
        await seedMeanings(db, few.companyId, embedder.model, blends)
        const vectors = await seedMeanings(db, many.companyId, embedder.model, blends)

        const questions = corpus.questions.map(([question]) => `${question} ${COMMON_WORD}`)
        const url = await startBellhop()
        // One by one: many at once would wait for the engine until the words decide alone.
        const requests = ({ apiKey }: StageCompany): Contender =>
          searching(questions, async (question) => {
            const answer = await fetch(url + pathOf(question), { headers: { 'x-api-key': apiKey } })
            if (answer.status !== 200) throw new Error(`${question} answered ${answer.status}`)
            await answer.arrayBuffer()
          })
        const ready = await prepare(embedder, questions)
        const searches = ({ companyId }: StageCompany): Contender =>
          searching(questions, (question) =>
            searchCalls({ sql: db.sql, embedder: ready, clock: systemClock, log }, companyId, {}, question),
          )
        const sides: [string, string] = ['100,000 transcriptions:', '1,000 transcriptions:']
        return [
          {
            what: 'GET /calls?query= one by one, answers/s',
            sides,
            goal: GOALS.speed,
            ...(await compare(requests(many), requests(few), PACES.steady)),
          },
          {
            what: 'searches/s one by one, with the vector of the query ready',
            sides,
            goal: GOALS.speed,
            ...(await compare(searches(many), searches(few), PACES.brisk)),
          },
          await recall(db.sql, many.companyId, embedder.model, vectors, blends),
        ]
      } finally {
        await embedder.close()
      }
    }),
}

const pathOf = (query: string) => `/api/v1/calls?${new URLSearchParams({ query }).toString()}`

/** Says at once what the engine says after a while. */
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

/** How many of those that a comparison with every vector puts first, the search finds too. */
async function recall(
  sql: Sql,
  companyId: string,
  model: string,
  vectors: Vector[],
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
