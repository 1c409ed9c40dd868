import { randomBytes } from 'node:crypto'

/** Whether a text has the form of a key that was drawn. */
export function isDrawnKey(text: string): boolean {
  return /^qk_[0-9a-f]{6}_[0-9a-f]{20}$/.test(text)
}

/** An unguessable key in the service's format. */
export function drawKey(): string {
  const digits = randomBytes(32).toString('hex')
  return `qk_${digits.slice(0, 6)}_${digits.slice(6, 26)}`
}
