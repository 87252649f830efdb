import { createFilter } from 'vite'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

import { INTEGRATION, UNIT } from './test-files.ts'

/** The slowest in order, each of half a minute or more. One that starts last would leave the other cores idle. */
const LONGEST = [
  'server/speech/embedded/synthesiser.test.ts',
  'server/modules/calls/search/search.test.ts',
  'server/modules/numbers/flow/default-greeting.test.ts',
  'test/faults/worst-requests.test.ts',
  'server/speech/embedded/recogniser.test.ts',
  'server/platform/embedded-postgres/index.test.ts',
  'test/faults/start-and-stop.test.ts',
  'bin/bellhop.test.ts',
  'test/faults/chaos.test.ts',
  'test/softphone/calls.test.ts',
  'test/faults/outside-postgres.test.ts',
]

/**
 * The slow groups first and in each the slowest files, so that short files fill the time until the last one ends. What
 * waits for phones and browsers runs beside its like, not beside files that keep a core busy.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not the method of arrays
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => groupRank(a) - groupRank(b) || fileRank(a) - fileRank(b))
  }
}

const isUnit = createFilter(UNIT)
const isIntegration = createFilter(INTEGRATION)

function groupRank({ moduleId }: TestSpecification): number {
  if (isUnit(moduleId)) return 2
  return isIntegration(moduleId) ? 0 : 1
}

function fileRank({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`))
  return rank === -1 ? LONGEST.length : rank
}
