import { keepHeapLean } from '../../lib/leanHeap.js'
import { keepLoopbackDirect } from '../../lib/loopbackDirect.js'
import { nodeProblem } from './process/nodeVersion.js'

// Nothing else is imported before the check: an older Node would stumble over the rest without saying why.
const problem = nodeProblem(process.version)
if (problem === undefined) void main()
else {
  process.stderr.write(`svc-sim: ${problem}\n`)
  process.exit(1)
}

async function main(): Promise<void> {
  const [{ run }, { leave }] = await Promise.all([
    import('./program.js'),
    import('./process/signals.js'),
  ])
  keepLoopbackDirect(process.env)
  keepHeapLean()
  leave(await run(process.argv.slice(2)))
}
