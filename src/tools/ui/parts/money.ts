import { groupedDigits, smallestUnits } from './text.js'

/** An amount of an asset, as actions name it: smallest units, and USD per whole token with 8 decimals where it is known. */
export interface MoneyFact {
  raw: string
  symbol: string
  price?: string | undefined
}

const everything = (2n ** 256n - 1n).toString()

/** `1,234.50` of 1234500000 with 6 decimals: at least two decimal places and at most six, or three digits that say something. Rounded down. */
export function shownUnits(raw: string, decimals: number): string {
  const digits = raw.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = digits.slice(digits.length - decimals)
  const leading = /^0*/.exec(part)![0].length
  const kept = /^0+$/.test(whole) && leading >= 4 ? leading + 3 : 6
  const shown = part.slice(0, kept).replace(/0+$/, '').padEnd(2, '0')
  return `${groupedDigits(whole)}.${shown}`
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** `$1,234.50` of an amount at a price of 8 decimals, rounded to the nearest cent. */
export function shownWorth(raw: string, decimals: number, price: string): string {
  const worth = BigInt(raw) * BigInt(price)
  const shown = dollars.format(`${worth}E-${decimals + 8}` as `${number}`)
  return shown === '$0.00' && worth !== 0n ? '<$0.01' : shown
}

export function shownUsd(usd: bigint): string {
  return usd < 0n ? `-${shownUsd(-usd)}` : shownWorth('1', 0, usd.toString())
}

/** USD with 8 decimals of a plain decimal, such as `-12.5`. */
export function usdOf(text: string): bigint {
  const usd = BigInt(smallestUnits(text.replace('-', ''), 8) ?? 0)
  return text.startsWith('-') ? -usd : usd
}

/** `99.80 USDC ($99.80)`; without its asset's decimals the smallest units, and without a price no dollars. */
export function shownMoney(
  { raw, symbol, price }: MoneyFact,
  decimals: number | undefined,
  currentUsd?: string,
): string {
  if (raw === everything) return `all ${symbol}`
  if (decimals === undefined) return `${groupedDigits(raw)} smallest units of ${symbol}`
  const usd = price ?? (currentUsd === undefined ? undefined : smallestUnits(currentUsd, 8))
  const units = `${shownUnits(raw, decimals)} ${symbol}`
  return usd === undefined ? units : `${units} (${shownWorth(raw, decimals, usd)})`
}

/** The amounts that a field of an action's context holds: one, or those of a list. None when the field is no amount. */
export function moneyIn(name: string, context: Record<string, unknown>): MoneyFact[] {
  if (!/amount|^max_fee$/.test(name)) return []
  const value = context[name]
  const raws = Array.isArray(value) ? value : [value]
  const stem = /backing/.test(name) ? 'backing' : name.replace(/_?amounts?$/, '')
  const isPlain = ['', 'input', 'output', 'max_fee'].includes(stem)
  return raws.flatMap((raw, index) => {
    const read = (field: string): string | undefined => {
      const single = context[field]
      const many = context[`${field}s`]
      const text = single ?? (Array.isArray(many) ? many[index] : undefined)
      return typeof text === 'string' ? text : undefined
    }
    const symbol = read(`${stem}_asset_symbol`) ?? (isPlain ? read('asset_symbol') : undefined)
    const price = read(`${stem}_token_price`) ?? (isPlain ? read('price') : undefined)
    if (typeof raw !== 'string' || !/^\d+$/.test(raw) || symbol === undefined) return []
    return [{ raw, symbol, price }]
  })
}

/**
 * The smallest units that a person means: `1.5`, `1,500` and `1.5 WETH` are whole units, `raw:1500000` is in the smallest unit. Undefined
 * when the text is no such amount of this asset.
 */
export function typedAmount(text: string, symbol: string, decimals: number): string | undefined {
  const raw = /^\s*raw:\s*(\d+)\s*$/.exec(text)?.[1]
  if (raw !== undefined) return raw
  const [, number = '', unit] = /^\s*([\d.,]+)\s*([A-Za-z]\w*)?\s*$/.exec(text) ?? []
  if (unit !== undefined && unit.toLowerCase() !== symbol.toLowerCase()) return undefined
  return smallestUnits(number.replace(/,(?=\d{3}(?:\D|$))/g, ''), decimals)
}
