import type { ScenarioReply } from '../../clients/scenarios/target.js'
import { type Arguments, send, type Tool, type Tools } from './tool.js'

const leaseOperation = 'POST /_sim/worlds'
const endOperation = 'DELETE /_sim/worlds/{id}'
const listOperation = 'GET /_sim/worlds'

/** An agent thinks for long between two calls, and a lease that it forgets ends with the session's simulator or after this. */
const leaseSeconds = 3_600

/** Worlds of the simulator; the session is in one of them, or in the first. */
export const worldsTool: Tool = {
  name: 'worlds',
  title: 'Worlds',
  destroys: true,
  description:
    'Whole simulators of their own behind the same port: chains, clock, faults, accounts. For trying two things side by side. All other tools work in the world that was leased or chosen last.',
  actions: {
    lease: {
      operation: leaseOperation,
      text: `Leases one and enters it, for ${leaseSeconds} seconds or lease_seconds. Its key is for the client under test.`,
      async run(args, tools) {
        const reply = await ask(tools, leaseOperation, { lease_seconds: leaseSeconds, ...args })
        if (reply.status === 201) {
          const { id, apiKey } = reply.body as { id: string; apiKey: string }
          tools.session.worlds.enterLeased(id, apiKey)
        }
        return reply
      },
    },
    use: {
      text: 'Goes to one that was leased here; without an id, to the first.',
      more: { id: { type: 'string', description: 'Of the world.' } },
      required: [],
      run: async ({ id }, { session }) => {
        session.worlds.enter(id === undefined ? undefined : String(id))
        return { result: id === undefined ? 'in the first world' : `in world ${String(id)}` }
      },
    },
    list: { operation: listOperation, run: (args, tools) => ask(tools, listOperation, args) },
    give_back: {
      operation: endOperation,
      async run(args, tools) {
        const reply = await ask(tools, endOperation, args)
        if (reply.status === 200 || reply.status === 404)
          tools.session.worlds.forget(String(args.id))
        return reply
      },
    },
  },
}

/** Worlds are leased by the simulator in front, whichever of them the session is in. */
function ask(tools: Tools, operation: string, args: Arguments): Promise<ScenarioReply> {
  return send(tools, operation, args, tools.session.front())
}
