import { expect, test } from 'vitest'
import { loadAddressBook } from '../../src/deployments/addressBook.js'
import { tokenOn } from '../../src/service/plans/assembly/resolve.js'
import { planKinds } from '../../src/service/plans/kinds/index.js'
import { fieldsNaming } from '../../src/service/plans/model/fields.js'

const book = loadAddressBook()

test('default: symbols in any casing; networks and protocols in lower case alone', () => {
  for (const { path, schema, example } of planKinds) {
    const body = example as Record<string, unknown>
    const isTaken = (change: object) => schema.safeParse({ ...body, ...change }).success
    expect(isTaken({}), path).toBe(true)
    const symbols = fieldsNaming('asset', schema).filter((field) => typeof body[field] === 'string')
    for (const field of symbols) {
      const symbol = String(body[field])
      const [lower, upper] = [symbol.toLowerCase(), symbol.toUpperCase()]
      expect(isTaken({ [field]: lower }) && isTaken({ [field]: upper }), path).toBe(true)
      expect(tokenOn(book, 'base', lower, field)).toBe(tokenOn(book, 'base', upper, field))
    }
    const named = Object.keys(body).filter((field) => /network|protocol/.test(field))
    for (const field of named)
      for (const other of [String(body[field]).toUpperCase(), ` ${body[field]}`])
        expect(isTaken({ [field]: other }), `${path}: ${field} ${other}`).toBe(false)
  }
})
