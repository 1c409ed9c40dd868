import { expect, test } from 'vitest'
import type { ProbeResult } from './probe.js'
import { verifyProgress } from './progress.js'

function progressOn(isTTY: boolean) {
  const written: string[] = []
  const output = { isTTY, write: (text: string) => written.push(text) }
  return { progress: verifyProgress(output as never), written: () => written.join('') }
}

const differing = { outcome: 'differs', name: 'a plan lives', cells: ['201@earn'] } as never
const held = { outcome: 'conforms', name: 'b', cells: [] } as never as ProbeResult

test('default: a line for each tenth, and one for what differs', () => {
  const { progress, written } = progressOn(false)
  progress.onResult(held)
  progress.onResult(differing)
  for (let done = 1; done <= 25; done++) progress.onProgress(done, 25)
  const lines = written().trimEnd().split('\n')
  expect(lines[0]).toBe('svc-sim: differs: 201@earn: a plan lives')
  expect(lines.slice(1)).toHaveLength(10)
  expect(lines.at(-1)).toBe('svc-sim: 25 of 25 probes, differences: 1')
})

test('behavior: on a terminal one line is written over, and is gone at the end', () => {
  const { progress, written } = progressOn(true)
  progress.onProgress(1, 2)
  progress.onResult(differing)
  progress.onProgress(2, 2)
  const clear = '\r\u001b[K'
  expect(written()).toBe(
    `${clear}svc-sim: 1 of 2 probes, differences: 0${clear}svc-sim: differs: 201@earn: a plan lives\n${clear}`,
  )
})
