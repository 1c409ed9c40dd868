import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { privateKeyInput, readPrivateKey } from './signing.js'
import { send, type Tool, type ToolAction } from './tool.js'

const createAccount = 'POST /accounts'

/** Sub-accounts and everything about them that can be read. */
export const accountsTool: Tool = {
  name: 'accounts',
  title: 'Sub-accounts',
  description: 'Sub-accounts: create one, and read what it has and what became of its plans.',
  actions: {
    create: {
      operation: createAccount,
      text: 'The signer is signer_address, or the address of private_key. With neither, a key is created and returned once. Use it for nothing of value.',
      more: { private_key: privateKeyInput },
      required: [],
      async run({ private_key, ...args }, tools) {
        const made =
          private_key === undefined && args.signer_address === undefined
            ? generatePrivateKey()
            : undefined
        const key = made ?? (private_key === undefined ? undefined : readPrivateKey(private_key))
        const signer = key === undefined ? {} : { signer_address: privateKeyToAddress(key) }
        const body = { signer_type: 'eoa', ...args, ...signer }
        const reply = await send(tools, createAccount, body)
        if (made === undefined || reply.status !== 201) return reply
        return { result: { ...(reply.body as object), signer_private_key: made } }
      },
    },
    list: { operation: 'GET /accounts' },
    folio: searched('GET /accounts/{account_id}/folio', 2),
    activities: { operation: 'GET /accounts/{account_id}/activities' },
    activity: { operation: 'GET /activities/{activity_id}' },
    events: { operation: 'GET /accounts/{account_id}/events' },
    networks: { operation: 'GET /networks' },
    assets: searched('GET /assets', 1),
    markets: searched('GET /markets', 1),
  },
}

/** A long answer, of which the entries can be asked for that hold a text. */
function searched(operation: string, depth: number): ToolAction {
  return {
    operation,
    more: {
      matching: {
        type: 'string',
        description: 'Only entries with this text: an asset, a network, an address.',
      },
    },
    view: (body, { matching }) =>
      matching === undefined ? body : entriesWith(body, String(matching).toLowerCase(), depth),
  }
}

/** What has the text in its name or in itself, of a list or of the tables so far down. */
function entriesWith(value: unknown, text: string, depth: number): unknown {
  const holds = (entry: unknown) => JSON.stringify(entry).toLowerCase().includes(text)
  if (Array.isArray(value)) return value.filter(holds)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  if (depth === 0) return Object.fromEntries(entries.filter(holds))
  return Object.fromEntries(
    entries.map(([name, each]) => [name, entriesWith(each, text, depth - 1)]),
  )
}
