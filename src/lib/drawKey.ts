import { randomBytes } from 'node:crypto'

/** A key of the service's form that nobody can guess. */
export function drawKey(): string {
  const digits = randomBytes(32).toString('hex')
  return `qk_${digits.slice(0, 6)}_${digits.slice(6, 26)}`
}
