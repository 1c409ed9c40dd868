/** What a server said instead of doing what it was asked. */
export class Refused extends Error {
  override name = 'Refused'
  readonly code: string
  readonly hint: string | undefined
  readonly status: number
  /** Of the request, for `why`. */
  readonly requestId: string | undefined
  /** The fault rules that fired. */
  readonly faults: string | undefined

  constructor(response: Response, body: unknown) {
    const { error, message } = (body ?? {}) as { error?: string; message?: string }
    super(message ?? `The response has status ${response.status}`)
    this.code = error ?? 'unreadable'
    this.status = response.status
    this.requestId = response.headers.get('x-svc-sim-request-id') ?? undefined
    this.faults = response.headers.get('x-svc-sim-fault') ?? undefined
    this.hint = response.headers.get('x-svc-sim-hint') ?? undefined
  }
}

/** The body of a good answer; throws a `Refused` for another. */
export async function answered<Data>(
  asked: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await asked
  if (response.ok) return data as Data
  throw new Refused(response, error)
}
