/** How a transaction of a dumped state begins and ends the list of its calls (anvil 1.7.1). */
const [begins, ends] = [Buffer.from('"traces":['), Buffer.from('],"exit":')]

/**
 * A dumped state without the calls of its transactions, piece by piece. They are three quarters of it, and a node that starts from them
 * needs five times as long and twice the memory.
 */
export async function* withoutTraces(state: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let isTrace = false
  for await (const piece of state) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    for (;;) {
      const at = rest.indexOf(isTrace ? ends : begins)
      if (at < 0) break
      if (!isTrace) yield rest.subarray(0, at + begins.length)
      rest = rest.subarray(isTrace ? at : at + begins.length)
      isTrace = !isTrace
    }
    // What is looked for may have begun.
    const whole = Math.max(0, rest.length - begins.length + 1)
    if (!isTrace && whole > 0) yield rest.subarray(0, whole)
    rest = rest.subarray(whole)
  }
  if (isTrace) throw new Error('the state of a node ends within a transaction')
  yield rest
}
