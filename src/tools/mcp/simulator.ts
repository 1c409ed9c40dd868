import type { JsonSchema } from './documents.js'
import { ToolError } from './session.js'
import type { Arguments, Tool } from './tool.js'

/** For sessions that choose their simulator: start one, attach to one that runs, stop it. `startInputs` are the options of `svc-sim start`. */
export function simulatorTools(startInputs: Readonly<Record<string, JsonSchema>>): Tool[] {
  return [
    {
      name: 'start_simulator',
      title: 'Start a simulator',
      description:
        'Starts a simulator on a free port; it ends with this session. Returns URLs and API key for the client under test.',
      inputs: startInputs,
      required: [],
      run: async (args, session) => ({ result: await session.start(flagsOf(args)) }),
    },
    {
      name: 'attach_simulator',
      title: 'Attach to a running simulator',
      description: 'Uses a running simulator.',
      inputs: {
        url: { type: 'string', description: 'Where it runs: http://127.0.0.1:4477' },
        key: {
          type: 'string',
          description: 'An API key that it accepts; the default one if none.',
        },
        token: { type: 'string', description: 'Its control token, if it was started with one.' },
      },
      required: ['url'],
      async run({ url, key, token }, session) {
        await session.attach({
          url: baseUrlOf(url),
          ...(key === undefined ? {} : { apiKey: String(key) }),
          ...(token === undefined ? {} : { controlToken: String(token) }),
        })
        return { result: `attached to ${baseUrlOf(url)}` }
      },
    },
    {
      name: 'stop_simulator',
      title: 'Stop the simulator',
      description:
        'Ends a simulator that was started here. One that was attached to keeps running.',
      inputs: {},
      required: [],
      isDestructive: true,
      run: async (_, session) => ({ result: await session.stop() }),
    },
  ]
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
