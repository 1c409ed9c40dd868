import { isDeepStrictEqual } from 'node:util'
import { short } from '../../clients/scenarios/expect.js'
import { Unexpected } from '../../clients/scenarios/play.js'
import { at, NotExercised } from './types.js'

type Path = readonly (string | number)[]

/** A value of a response with its place. Checks throw `Unexpected` with the place, the expectation and the value. */
export class ResponseValue<T = unknown> {
  readonly request: string
  readonly value: T
  /** The fields that lead to the value; empty for a whole body. */
  readonly place: string

  constructor(request: string, value: T, place = '') {
    this.request = request
    this.value = value
    this.place = place
  }

  get where(): string {
    return this.place === '' ? this.request : `${this.request}: ${this.place}`
  }

  /** The value at a path of fields and positions; its value is undefined where there is nothing. */
  at(...path: Path): ResponseValue {
    const place = [...(this.place === '' ? [] : [this.place]), ...path].join('.')
    return new ResponseValue(this.request, at(this.value, ...path), place)
  }

  holds(isSo: boolean, expected: string): this {
    if (isSo) return this
    const { where } = this
    const actual = textOf(this.value)
    throw new Unexpected(`${where}: expected ${expected}, seen ${actual}`, {
      where,
      expected,
      seen: actual,
    })
  }

  is(expected: T): void {
    this.holds(isDeepStrictEqual(this.value, expected), textOf(expected))
  }

  text(): ResponseValue<string> {
    return this.holds(typeof this.value === 'string', 'a text') as ResponseValue<string>
  }

  list(): ResponseValue[] {
    this.holds(Array.isArray(this.value), 'a list')
    return (this.value as unknown[]).map((_, i) => this.at(i))
  }

  /** The fields of an object whose names begin with `start`; none where there is no object. */
  entries(start = ''): [name: string, value: ResponseValue][] {
    const names = Object.keys(this.value ?? {}).filter((name) => name.startsWith(start))
    return names.map((name) => [name, this.at(name)])
  }

  /** An amount in the smallest unit, such as "52000000". */
  amount(): ResponseValue<bigint> {
    const text = typeof this.value === 'string' ? this.value : ''
    this.holds(/^[0-9]+$/.test(text), 'a decimal integer string')
    return new ResponseValue(this.request, BigInt(text), this.place)
  }

  /** An amount as folios write it, in the smallest unit: "52e6" is 52000000, a decimal in whole units and the decimals of the asset. */
  units(): ResponseValue<bigint> {
    const [, sign = '', whole = '', fraction = '', decimals = ''] =
      /^(-?)(\d+)(?:\.(\d+))?e(\d+)$/.exec(String(this.value)) ?? []
    const isExact = whole !== '' && fraction.length <= Number(decimals)
    this.holds(isExact, 'an amount such as "52e6" or "0.5e18"')
    const units = BigInt(sign + whole + fraction.padEnd(Number(decimals), '0'))
    return new ResponseValue(this.request, units, this.place)
  }
}

export function actionContexts(plan: ResponseValue): ResponseValue[] {
  const operations = plan.at('details', 'svc_operation_actions').list()
  return operations.map((each) => each.at('action', 'action_context'))
}

/** The context of the first action of a type; its value is undefined where there is none. */
export function contextOf(plan: ResponseValue, type: string): ResponseValue {
  const context = actionContexts(plan).find((each) => each.at('action_type').value === type)
  return new ResponseValue(plan.request, context?.value, type)
}

/** The context with this field, whatever its type is called. The interface promises neither. */
export function contextWith(plan: ResponseValue, type: string, field: string): ResponseValue {
  const contexts = [contextOf(plan, type), ...actionContexts(plan)]
  const context = contexts.find((each) => each.at(field).value !== undefined)
  if (context) return new ResponseValue(plan.request, context.value, type)
  const why = `no action has ${field}, which the interface does not promise`
  throw new NotExercised(why, 'not provable')
}

/** The balance of the wallet itself in a folio. */
export function walletBalance(
  answer: ResponseValue,
  wallet: string,
  asset: string,
  network = 'base',
): ResponseValue<bigint> {
  const key = `token/${network}/${asset}/${wallet}`
  const balances = answer.at('folio').at('balances').entries()
  const balance = balances.find(([name]) => name.toLowerCase() === key.toLowerCase())
  return balance?.[1].units() ?? new ResponseValue(answer.request, 0n, `folio.balances.${key}`)
}

/** The sum of all balances of a folio whose keys begin like this. */
export function balancesUnder(answer: ResponseValue, start: string): ResponseValue<bigint> {
  const balances = answer.at('folio').at('balances').entries(start)
  const sum = balances.reduce((all, [, balance]) => all + balance.units().value, 0n)
  return new ResponseValue(answer.request, sum, `folio.balances.${start}`)
}

function textOf(value: unknown): string {
  return typeof value === 'bigint' ? value.toString() : short(value)
}
