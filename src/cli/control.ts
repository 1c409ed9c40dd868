import { defaultPort, type OptionValues } from './optionTable.js'

/** An answer takes milliseconds; a simulator that is still starting answers when it is ready. */
const answerWithinMs = 60_000

/** The running simulator that a command speaks to. */
function baseOf(values: Pick<OptionValues, 'baseUrl'>): string {
  return values.baseUrl ?? process.env.SVC_BASE_URL ?? `http://127.0.0.1:${defaultPort}`
}

/**
 * Asks the control API of a running simulator: GET, or POST when there is a body. Throws with what to do when nobody answers,
 * or when it refuses.
 */
export async function control<T>(
  values: Pick<OptionValues, 'baseUrl' | 'controlToken'>,
  path: string,
  body?: unknown,
): Promise<T> {
  const base = baseOf(values)
  const response = await ask(`${base}${path}`, values.controlToken, body)
  const text = await response.text()
  if (!response.headers.has('x-svc-sim-request-id')) {
    throw new Error(
      `what answers at ${base} is not a simulator (status ${response.status}). Say where it runs with --base-url.`,
    )
  }
  const answer = JSON.parse(text) as T & { error?: string; message?: string }
  if (response.ok) return answer
  const hint =
    response.status === 401
      ? 'Give the token that the simulator was started with: --control-token.'
      : response.headers.get('x-svc-sim-hint')
  throw new Error(`${answer.error}: ${answer.message}${hint ? `\n${hint}` : ''}`)
}

async function ask(url: string, controlToken: string | undefined, body: unknown) {
  try {
    return await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
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
