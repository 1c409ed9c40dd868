import { ConfigError } from './config.js'
import { defaultPort, flagOf, type OptionValues, variableOf } from './optionTable.js'
import { print } from './output.js'

/** An answer takes milliseconds; a simulator that is still starting answers when it is ready. */
const answerWithinMs = 60_000

/** `svc-sim fund`: the faucet of a running simulator. Prints the balance that it leaves, in the asset's smallest unit. */
export async function fund(values: OptionValues): Promise<number> {
  const account_id = required(values, 'account')
  const asset = required(values, 'asset')
  const amount = required(values, 'amount')
  const network = required(values, 'network')
  const { controlToken } = values
  const base = values.baseUrl ?? process.env.SVC_BASE_URL ?? `http://127.0.0.1:${defaultPort}`
  const response = await post(`${base}/_sim/fund`, controlToken, {
    account_id,
    asset,
    amount,
    network,
  })
  const answer = await read(response, base)
  await print(
    `${account_id} now has ${answer.balance} ${asset} on ${network} (smallest unit), in its wallet ${answer.address}\n`,
  )
  return 0
}

function required(values: OptionValues, name: 'account' | 'asset' | 'amount' | 'network'): string {
  const value = values[name]
  if (value !== undefined) return value
  throw new ConfigError(
    `fund needs --${flagOf(name)} (or ${variableOf(name)}); see "svc-sim fund --help".`,
  )
}

async function post(
  url: string,
  controlToken: string | undefined,
  body: unknown,
): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerWithinMs),
    })
  } catch (error) {
    // fetch itself says no more than "failed"; and a name with several addresses fails without any text, but with a code.
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined
    const why = cause?.message || cause?.code || (error as Error).message
    throw new Error(
      `no simulator answers at ${url} (${why}). Start one with "svc-sim start", or say where it runs with --base-url.`,
    )
  }
}

/** The faucet's answer; throws with what the simulator said when it refused. */
async function read(
  response: Response,
  base: string,
): Promise<{ address: string; balance: string }> {
  const text = await response.text()
  const isOurs = response.headers.has('x-svc-sim-request-id')
  if (!isOurs) {
    throw new Error(
      `what answers at ${base} is not a simulator (status ${response.status}). Say where it runs with --base-url.`,
    )
  }
  const body = JSON.parse(text) as Record<'address' | 'balance' | 'error' | 'message', string>
  if (response.ok) return body
  const hint =
    response.status === 401
      ? 'Give the token that the simulator was started with: --control-token.'
      : response.headers.get('x-svc-sim-hint')
  throw new Error(`${body.error}: ${body.message}${hint ? `\n${hint}` : ''}`)
}
