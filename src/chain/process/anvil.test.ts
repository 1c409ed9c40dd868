import { expect, test } from 'vitest'
import { libcProblem } from './anvil.js'

test('default: this machine runs anvil', () => {
  expect(libcProblem()).toBeUndefined()
})

test('behavior: newer ones do, and systems without glibc that are not Linux', () => {
  for (const version of ['2.35', '2.36', '2.100', '3.0'])
    expect(libcProblem('linux', version)).toBeUndefined()
  expect(libcProblem('darwin')).toBeUndefined()
})

test('error: musl, and a glibc that is too old', () => {
  expect(libcProblem('linux', '')).toContain('this system has none (it is built on musl')
  expect(libcProblem('linux', '2.31')).toBe(
    'anvil needs glibc 2.35 or newer, and this system has glibc 2.31. Use Debian 12, Ubuntu 22.04 or newer, or an image such as node:22-slim.',
  )
})
