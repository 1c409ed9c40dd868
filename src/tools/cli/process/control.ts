import { createWire } from '../../../clients/scenarios/target.js'
import { defaultPort } from '../../../simulator/options/simulatorOptions.js'
import type { OptionValues } from '../options/optionTable.js'

/** The running simulator that a command speaks to. */
export function baseOf(values: Pick<OptionValues, 'baseUrl'>): string {
  return values.baseUrl ?? process.env.SVC_BASE_URL ?? `http://127.0.0.1:${defaultPort}`
}

/**
 * Asks the control API of a running simulator: GET, or POST when there is a body. Throws with what to do when nobody answers,
 * or when it refuses.
 */
export async function control<T>(
  { controlToken, ...values }: Pick<OptionValues, 'baseUrl' | 'controlToken'>,
  path: string,
  body?: unknown,
): Promise<T> {
  const url = baseOf(values)
  const wire = createWire({
    url,
    apiKey: '',
    controlToken,
  })
  const answer = await wire.ask(body === undefined ? 'GET' : 'POST', path, body)
  if (answer.cut)
    throw new Error(
      `no simulator answers at ${url}${path} (${answer.why}). Start one with "svc-sim start", or say where it runs with --base-url.`,
    )
  if (!('x-svc-sim-request-id' in answer.headers))
    throw new Error(
      `the server at ${url} is not a simulator (status ${answer.status}). Say where it runs with --base-url.`,
    )
  if (answer.status >= 200 && answer.status < 300) return answer.body as T
  const { error, message } = answer.body as { error?: string; message?: string }
  const hint =
    answer.status === 401
      ? 'Give the token that the simulator was started with: --control-token.'
      : answer.headers['x-svc-sim-hint']
  throw new Error(`${error}: ${message}${hint ? `\n${hint}` : ''}`)
}
