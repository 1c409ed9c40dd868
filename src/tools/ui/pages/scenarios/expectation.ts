/** `expected X, got Y`, apart; undefined for another message. */
export function expectedAndGot(message: string): { expected: string; got: string } | undefined {
  const [, expected, got] = /\bexpected (.*?), (?:got|but it is) (.*)$/s.exec(message) ?? []
  return expected === undefined || got === undefined ? undefined : { expected, got }
}
