import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than all others, or a minute and more: begun last, they would run alone at the end. */
const longest = ['swarmClients', 'bundles', 'forkPlans', 'revival', 'swarm']

/** Begins with the longest files: on a fresh clone vitest knows only their sizes. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return at < 0 ? longest.length : at
    }
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
