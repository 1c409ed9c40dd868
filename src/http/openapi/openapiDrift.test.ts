import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { planKinds } from '../../service/plans/kinds/index.js'
import { routesOf } from '../allRoutes.js'
import { emitOpenApi } from './openapi.js'

const committed = (name: string): string =>
  readFileSync(new URL(`../../../openapi/${name}`, import.meta.url), 'utf8')

// Compared as compact text, so that the order of the keys counts and the layout of the file does not.
const routes = routesOf(planKinds)
const now = JSON.stringify(emitOpenApi(routes.service))

const cure = 'run: npm run openapi'

test('default: openapi.json is what the routes say now', () => {
  expect(JSON.stringify(JSON.parse(committed('openapi.json'))), cure).toBe(now)
})

test('behavior: openapi.yaml says the same', () => {
  expect(JSON.stringify(parse(committed('openapi.yaml'))), cure).toBe(now)
})

test('behavior: openapi-3.0.json says the same in OpenAPI 3.0', () => {
  const older = JSON.stringify(emitOpenApi(routes.service, { oas: '3.0' }))
  expect(JSON.stringify(JSON.parse(committed('openapi-3.0.json'))), cure).toBe(older)
})

test('behavior: control.json is what the control routes say now', () => {
  const control = JSON.stringify(emitOpenApi(routes.control, { control: true }))
  expect(JSON.stringify(JSON.parse(committed('control.json'))), cure).toBe(control)
})
