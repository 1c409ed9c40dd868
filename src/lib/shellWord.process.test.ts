import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from './shellWord.js'

test('default: what needs no quotes has none', () => {
  for (const word of ['./data', '/var/lib/svc-sim_1', 'a=b,c:d@e%'])
    expect(shellWord(word)).toBe(word)
})

test('behavior: a shell reads back any word', () => {
  for (const word of ['with space', "it's", '$HOME', '`id`', 'a"b', '!x', '', 'ünder;rm'])
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(word)}`]).toString()).toBe(word)
})
