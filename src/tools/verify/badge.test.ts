import { expect, test } from 'vitest'
import { badgeFormats } from './badge.js'

const report = (percent: number, ended?: string) => ({
  score: { percent, lowest: 'coverage' as const, held: percent, of: 100 },
  ended,
})

test('default: an endpoint of shields.io, and a picture of the same words', () => {
  expect(JSON.parse(badgeFormats.json(report(60)))).toEqual({
    schemaVersion: 1,
    label: 'svc-sim verify',
    message: '60% (coverage)',
    color: '#dfb317',
  })
  const picture = badgeFormats.svg(report(60))
  expect(picture).toContain('<title>svc-sim verify: 60% (coverage)</title>')
  expect(picture).toContain('fill="#dfb317"')
})

test.each([
  [100, '#4c1'],
  [99, '#97ca00'],
  [80, '#97ca00'],
  [79, '#dfb317'],
  [49, '#e05d44'],
  [0, '#e05d44'],
])('behavior: %i percent has the colour %s', (percent, color) => {
  expect(JSON.parse(badgeFormats.json(report(percent)))).toMatchObject({ color })
})

test('behavior: a run without an end shows no score', () => {
  expect(JSON.parse(badgeFormats.json(report(100, 'gone')))).toMatchObject({
    message: 'not finished',
    color: '#9f9f9f',
  })
})
