/** Texts that the bodies of several answers have; the numbers are in `scalars.ts`. */
import { z } from 'zod'

export const address = z.string().meta({ pattern: '^0x[0-9a-fA-F]{40}$' })
export const hex = z.string().meta({ pattern: '^0x([0-9a-f]{2})*$' })
export const hash = z.string().meta({ pattern: '^0x[0-9a-f]{64}$' })
export const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601, UTC.' })
export const decimalField = z.string().meta({ pattern: '^[0-9]+$' })

/** An id of the service: a prefix, then letters and digits; how many is not promised. */
export function id(prefix: string): z.ZodString {
  return z.string().meta({ pattern: `^${prefix}_[0-9A-Za-z]+$` })
}

export const activityTypeField = z.enum(['svc_operation_executed', 'exogenous']).meta({
  description: '`svc_operation_executed`: an executed plan; `exogenous`: an event from outside.',
})

export const activityStatus = z.enum(['pending', 'confirmed', 'failed'])
