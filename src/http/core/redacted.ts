import { redactJson } from '../../observe/journal/redact.js'
import type { AppDeps } from './types.js'

/** The same without keys and tokens, wherever they stand. */
export function redacted<T>({ access: { keys, bind } }: AppDeps, value: T): T {
  const secrets = [...keys.map(({ key }) => key), bind.controlToken ?? []].flat()
  return redactJson(value, secrets) as T
}
