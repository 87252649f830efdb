import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Each takes more than half a minute. One that starts last would leave the other cores idle. */
const LONGEST = ['bin/bellhop.test.ts', 'test/chaos/chaos.test.ts']
const PROJECTS = ['integration', 'api', 'unit']

/** The slow projects first and in each the slowest files, so that short files fill the time until the last one ends. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => projectRank(a) - projectRank(b) || fileRank(a) - fileRank(b))
  }
}

const projectRank = (file: TestSpecification) => PROJECTS.indexOf(file.project.name)

function fileRank({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`))
  return rank === -1 ? LONGEST.length : rank
}
