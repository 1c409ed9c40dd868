import type { JsonSchema } from './documents.js'
import type { Arguments, Tool } from './tool.js'
import { ToolError } from './toolError.js'

const urlInput = { type: 'string', description: 'Where it runs: http://127.0.0.1:4477' }

/** Starting, finding and stopping a simulator, and taking all of it back. `startInputs` are the options of `svc-sim start`; without them there is one already, and no other can be had. */
export function simulatorTool(startInputs?: Readonly<Record<string, JsonSchema>>): Tool {
  return {
    name: 'simulator',
    title: 'The simulator',
    destroys: true,
    description: `The simulator that all other tools work with: ${startInputs ? 'start one of your own (it ends with this session), or attach to one that runs' : 'the one that serves this session'}. Snapshots hold everything: accounts, chains, clock, faults.`,
    actions: {
      ...(startInputs && ownActions(startInputs)),
      status: {
        reads: true,
        text: 'Where it is and whether its networks are up.',
        async run(_, { session }) {
          const ready = await session.wire().send({ method: 'GET', path: '/health/ready' })
          if (ready.cut) return ready
          const { controlToken: _secret, ...where } = session.where() ?? {}
          return { result: { ...where, ready: ready.body } }
        },
      },
      reset: { operation: 'POST /_sim/reset' },
      snapshot: { operation: 'POST /_sim/snapshots' },
      snapshots: { operation: 'GET /_sim/snapshots' },
      restore: { operation: 'POST /_sim/snapshots/{id}/restore' },
    },
  }
}

/** For sessions that choose their simulator. */
function ownActions(startInputs: Readonly<Record<string, JsonSchema>>): Tool['actions'] {
  return {
    start: {
      text: 'On a free port. Returns its URLs and API key for the client under test.',
      more: startInputs,
      run: async (args, { session }) => ({ result: await session.start(flagsOf(args)) }),
    },
    attach: {
      text: 'To one that runs already.',
      more: {
        url: urlInput,
        key: {
          type: 'string',
          description: 'An API key that it accepts; the default one if none.',
        },
        token: {
          type: 'string',
          description: 'Its control token, if it was started with one.',
        },
      },
      required: ['url'],
      async run({ url, key, token }, { session }) {
        await session.attach({
          url: baseUrlOf(url),
          ...(key === undefined ? {} : { apiKey: String(key) }),
          ...(token === undefined ? {} : { controlToken: String(token) }),
        })
        return { result: `attached to ${baseUrlOf(url)}` }
      },
    },
    stop: {
      text: 'Ends one that was started here; one that was attached to stays.',
      run: async (_, { session }) => ({ result: await session.stop() }),
    },
  }
}

function baseUrlOf(url: unknown): string {
  const text = String(url)
  if (URL.canParse(text) && /^https?:/.test(text)) return text.replace(/\/+$/, '')
  throw new ToolError(`url is ${JSON.stringify(url)}, but must be like http://127.0.0.1:4477.`)
}

/** `{ data_dir: 'x', api_key: ['a', 'b'] }` -> `--data-dir=x --api-key=a --api-key=b`. */
function flagsOf(args: Arguments): string[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const flag = `--${name.replaceAll('_', '-')}`
    if (typeof value === 'boolean') return value ? [flag] : []
    return [value].flat().map((each) => `${flag}=${String(each)}`)
  })
}
