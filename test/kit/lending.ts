/**
 * What this worker lends to one test file after the other. It is kept beside the modules, since each file of a worker may load them
 * anew.
 */
const shared = globalThis as { svcSimLending?: { idle: Map<string, unknown[]>; out: number } }
shared.svcSimLending ??= { idle: new Map(), out: 0 }
const lending = shared.svcSimLending

/** Something of this kind that nobody has, or a new one. */
export async function lend<T>(kind: string, make: () => Promise<T>): Promise<T> {
  const found = lending.idle.get(kind)?.pop() as T | undefined
  const lent = found ?? (await make())
  lending.out++
  return lent
}

/** Takes back what was lent; `undefined` when it is not to be lent again. */
export function takeBack<T>(kind: string, lent: T | undefined): void {
  lending.out--
  if (lent !== undefined) lending.idle.set(kind, [...(lending.idle.get(kind) ?? []), lent])
}

/** How much is lent now. */
export const lentOut = (): number => lending.out
