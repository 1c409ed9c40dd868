import { describe, test } from 'vitest'
import { hasBrowser } from '../kit/browser.js'
import { useDashboard } from '../kit/dashboard.js'
import { findAmong } from '../kit/findAmong.js'

// What a person does with many accounts. Needs `npm run build` before.

const dashboard = useDashboard()

describe.skipIf(!hasBrowser)('in a browser', () => {
  test('default: any of 5,000 accounts is found', () => findAmong(5_000, dashboard))
})
