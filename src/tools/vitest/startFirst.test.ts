import { expect, test } from 'vitest'
import { usesFixtures } from './startFirst.js'

test('default: a test that names a fixture', () => {
  for (const handler of [
    ({ sim }: never) => sim,
    async ({ account, client: service }: never) => [account, service],
    async function named({ expect: assert, own }: never) {
      return [assert, own]
    },
    // As test.for passes it on.
    (context: never) => context,
  ])
    expect([usesFixtures(handler), String(handler)]).toEqual([true, String(handler)])
})

test('behavior: not one that has only what vitest gives', () => {
  for (const handler of [() => {}, ({ task, expect: assert }: never) => [task, assert], undefined])
    expect([usesFixtures(handler), String(handler)]).toEqual([false, String(handler)])
})
