import { mkdtemp, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../lib/files/makeFolder.js'
import { writeProgress } from './files/progressFile.js'
import { searchOptions } from './options.js'
import { swarmReportOf } from './report/report.js'
import { replayScenario } from './search/replayScenario.js'
import { search } from './search/search.js'
import type { SwarmOptions, SwarmReport } from './types.js'
import type { Subject } from './world/subject.js'

/** Searches a client and reports. Loaded when a search begins: it brings the library that draws. */
export async function searched(given: SwarmOptions, subject: Subject): Promise<SwarmReport> {
  try {
    const options = await searchOptions(given)
    await expectWritable(options.out)
    const report = swarmReportOf(await search(subject, options), options.seed)
    await writeProgress(options.out, report)
    return report
  } finally {
    await subject.close()
  }
}

/** Runs the scenario of a finding again, three times, and reports what that shows. */
export async function replayed(
  given: SwarmOptions,
  subject: Subject,
  file: string,
): Promise<SwarmReport> {
  try {
    const options = await searchOptions(given)
    return swarmReportOf(await replayScenario(subject, file, options), options.seed)
  } finally {
    await subject.close()
  }
}

/** Before the first run: a search that ends without its files has found nothing. */
async function expectWritable(out: string): Promise<void> {
  try {
    await makeFolder(out)
    await rmdir(await mkdtemp(join(out, '.svc-sim-')))
  } catch (error) {
    throw new Error(
      `Cannot write to the folder ${out}: ${(error as Error).message}. Choose another one with --out.`,
    )
  }
}
