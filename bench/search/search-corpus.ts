import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { packageRoot } from '../../server/platform/package-root.ts'

/** Invented calls of businesses, and questions about some of them that share few words with the transcript. */
export interface Corpus {
  language: string
  calls: Record<string, string>
  questions: [question: string, call: string][]
  /** Questions about nothing that was said in any of the calls. */
  off_topic?: string[]
}

/** The thresholds of the search were chosen by `english`, and without looking at `english-held-out`. */
export type CorpusName = 'english' | 'english-held-out' | 'danish'

export async function readCorpus(name: CorpusName): Promise<Corpus> {
  return JSON.parse(await readFile(join(packageRoot, 'test/search', `${name}.json`), 'utf8')) as Corpus
}
