import { type Cell, nameOfCell } from '../../http/pipeline/coverage.js'
import type { Why } from '../../observe/journal/whySchema.js'
import { textOfWhy } from '../../observe/journal/whyText.js'
import { accountsTool } from './accounts.js'
import type { JsonSchema, Operation } from './documents.js'
import { executeTool, planTool } from './plans.js'
import { scenariosTool } from './scenarios.js'
import { simulatorTool } from './simulator.js'
import { divided, only, type Tool } from './tool.js'
import { worldsTool } from './worlds.js'

/** Every tool, in the order in which they are needed. What they take follows from the OpenAPI documents. */
export function createToolbox(
  operations: ReadonlyMap<string, Operation>,
  startInputs?: Readonly<Record<string, JsonSchema>>,
): Tool[] {
  const tools: Tool[] = [
    simulatorTool(startInputs),
    worldsTool,
    accountsTool,
    {
      name: 'fund',
      title: 'Faucet',
      description: 'The faucet, for a sub-account’s wallet or any address.',
      actions: { [only]: { operation: 'POST /_sim/fund' } },
    },
    planTool(operations),
    executeTool,
    {
      name: 'faults',
      title: 'Faults',
      destroys: true,
      description:
        'Failures on purpose: rules of a seam (on), what they are narrowed to (match), and an effect. The resource svc-sim://faults lists all seams and effects.',
      actions: {
        list: { operation: 'GET /_sim/faults' },
        add: { operation: 'POST /_sim/faults' },
        remove: { operation: 'DELETE /_sim/faults/{id}' },
        clear: { operation: 'DELETE /_sim/faults' },
      },
    },
    {
      name: 'clock',
      title: 'Clock',
      description: 'The one clock of the service and of all chains.',
      actions: {
        read: { operation: 'GET /_sim/clock' },
        advance: { operation: 'POST /_sim/clock/advance' },
        freeze: { operation: 'POST /_sim/clock/freeze' },
        resume: { operation: 'POST /_sim/clock/resume' },
        auto: { operation: 'POST /_sim/clock/auto' },
      },
    },
    {
      name: 'prices',
      title: 'Prices',
      description: 'What assets cost, everywhere at once: feeds, oracles, quotes, pools.',
      actions: {
        read: { operation: 'GET /_sim/prices' },
        set: { operation: 'PUT /_sim/prices/{asset}' },
        liquidate: { operation: 'POST /_sim/liquidations' },
      },
    },
    whyTool,
    coverageTool,
    scenariosTool,
  ]
  return tools.flatMap(divided)
}

const whyTool: Tool = {
  name: 'why',
  title: 'Why something is as it is',
  description:
    'Why an account, plan, activity, intent or request is as it is: one timeline of requests, signatures, transactions, bridge fills, events and faults.',
  actions: {
    [only]: {
      operation: 'GET /_sim/why/{id}',
      view: (body) => textOfWhy(body as Why),
    },
  },
}

const coverageTool: Tool = {
  name: 'coverage',
  title: 'Coverage',
  description: 'Which documented responses clients have received since the start, and which never.',
  actions: {
    [only]: {
      operation: 'GET /_sim/coverage',
      view(body) {
        const { cells, ...counts } = body as { met: number; documented: number; cells: Cell[] }
        const named = (isMet: boolean) =>
          cells.filter(({ hits }) => hits > 0 === isMet).map(nameOfCell)
        return { ...counts, met_cells: named(true), never_met: named(false) }
      },
    },
  },
}
