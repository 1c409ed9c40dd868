/**
 * `Promise.withResolvers` for Node 20. prool calls it; Node has it from version 22 on. Import this file before prool.
 * It can go when the lowest supported Node is 22.
 */
interface Resolvers<T> {
  promise: Promise<T>
  resolve: (value: T | PromiseLike<T>) => void
  reject: (reason?: unknown) => void
}

function withResolvers<T>(): Resolvers<T> {
  let resolve!: Resolvers<T>['resolve']
  let reject!: Resolvers<T>['reject']
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

if (!('withResolvers' in Promise)) {
  Object.defineProperty(Promise, 'withResolvers', {
    value: withResolvers,
    writable: true,
    configurable: true,
  })
}

export {}
