import { BaseSequencer, type TestSpecification } from 'vitest/node'

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
const PROJECTS = ['integration', 'api', 'unit']

/** The slow projects first and in each the slowest files, so that short files fill the time until the last one ends. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not the method of arrays
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => projectRank(a) - projectRank(b) || fileRank(a) - fileRank(b))
  }
}

const projectRank = (file: TestSpecification) => PROJECTS.indexOf(file.project.name)

function fileRank({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`))
  return rank === -1 ? LONGEST.length : rank
}
