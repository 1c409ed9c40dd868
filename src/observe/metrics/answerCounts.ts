/** How often each response was sent since the start, by `answerKey`. */
export type Coverage = Map<string, number>

/** What became of a request, in words that are few whatever clients send. */
export interface Outcome {
  /** In capitals; `OTHER` for one that no route has. */
  method: string
  /** Its template, `(none)` when no route was reached. */
  route: string
  /** 0 when the connection ended before the head of an answer was out. */
  status: number
  /** Of an error; `cut` when the connection ended before all of the answer was out; empty otherwise. */
  code: string
}

export function answerKey(method: string, path: string, status: number, code: string): string {
  return `${method} ${path} ${status} ${code}`
}

export function answersIn(counts: Coverage): (Outcome & { count: number })[] {
  return [...counts].map(([key, count]) => {
    const [method, route, status, code] = key.split(' ') as [string, string, string, string]
    return { method: method.toUpperCase(), route, status: Number(status), code, count }
  })
}
