import { z } from 'zod'
import type { SnapshotInfo } from '../../../control/snapshotInfo.js'
import { currentScope } from '../../../service/context/requestContext.js'
import { controlRoute, type ErrorCase, type Route } from '../../core/route.js'

const nameError =
  'must be 1 to 64 letters, digits, spaces and . _ : - and must not begin with "snp_", nor be "." or "..", which no path can name'

const takeBody = z
  .object({
    name: z
      .string({ error: nameError })
      .regex(/^(?!snp_|\.{1,2}$)[\w .:-]{1,64}$/, { error: nameError })
      .meta({
        description: 'A name to restore it by, besides its id.',
      })
      .optional(),
  })
  .meta({ id: 'SnapshotRequest' })

export const snapshotSchema = z
  .strictObject({
    id: z.string(),
    name: z.string().nullable(),
    at: z.string().meta({ description: 'Service time at which it was taken, ISO 8601.' }),
  })
  .meta({ id: 'Snapshot' })

const droppedSchema = z.array(z.string()).meta({ description: 'Ids of the removed snapshots.' })

const oneSnapshot = {
  description: 'The snapshot.',
  schema: snapshotSchema,
}

const busy: ErrorCase = {
  code: 'conflict',
  when: 'a request under way does not end, or a node has lost its snapshot; nothing was changed',
}

const unknown: ErrorCase = {
  code: 'not_found',
  when: 'the snapshot does not exist, or no longer exists; the message says why',
}

export function snapshotWire({ id, name, at }: SnapshotInfo): z.infer<typeof snapshotSchema> {
  return { id, name: name ?? null, at }
}

export const snapshotRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'takeSnapshot',
    method: 'post',
    path: '/_sim/snapshots',
    summary: 'Take a snapshot',
    description:
      'Saves everything: accounts, plans, activities, events, the five chains, the clock, and fault rules with their counters. Waits for requests under way. Executions and bridge fills pause, then resume. The body may be omitted.',
    locks: 'handler',
    settles: 'handler',
    body: { schema: takeBody, absent: {} },
    answer: { status: 201, ...oneSnapshot },
    errors: [
      { code: 'invalid_params' },
      { ...busy, when: `the name is taken, there are already 100 snapshots, or ${busy.when}` },
    ],
    async handler({ deps, body }) {
      await deps.timing.settled()
      currentScope()?.begun?.()
      return snapshotWire(await deps.control.snapshots.take(body.name))
    },
  }),
  controlRoute({
    operationId: 'listSnapshots',
    method: 'get',
    path: '/_sim/snapshots',
    summary: 'List the snapshots',
    description: 'Lists the snapshots that can be restored, oldest first.',
    locks: 'handler',
    answer: {
      description: 'The snapshots.',
      schema: z.strictObject({ snapshots: z.array(snapshotSchema) }).meta({ id: 'Snapshots' }),
    },
    handler: ({ deps }) => ({ snapshots: deps.control.snapshots.list().map(snapshotWire) }),
  }),
  controlRoute({
    operationId: 'restoreSnapshot',
    method: 'post',
    path: '/_sim/snapshots/:id/restore',
    summary: 'Restore a snapshot',
    description:
      'Restores everything, including the time of the clock, to the moment of the snapshot. Takes its id or name. Work that was under way then resumes. The snapshot can be restored again; later snapshots are removed. New requests wait meanwhile. Waiting long polls return without events, and folio streams continue with the differences.',
    locks: 'handler',
    settles: 'briefly',
    answer: {
      description: 'The restored snapshot.',
      schema: z
        .strictObject({ ...snapshotSchema.shape, dropped: droppedSchema })
        .meta({ id: 'SnapshotRestored' }),
    },
    errors: [unknown, busy],
    async handler({ deps, req }) {
      const { restored, dropped } = await deps.control.snapshots.restore(String(req.params.id))
      return { ...snapshotWire(restored), dropped }
    },
  }),
  controlRoute({
    operationId: 'deleteSnapshot',
    method: 'delete',
    path: '/_sim/snapshots/:id',
    summary: 'Delete a snapshot',
    description:
      'Deletes a snapshot by id or name. The nodes keep its memory until an earlier snapshot is restored.',
    locks: 'handler',
    answer: { ...oneSnapshot, description: 'The deleted snapshot.' },
    errors: [unknown],
    handler: async ({ deps, req }) =>
      snapshotWire(await deps.control.snapshots.delete(String(req.params.id))),
  }),
]

export const resetRoutes: readonly Route[] = [
  controlRoute({
    operationId: 'resetSimulator',
    method: 'post',
    path: '/_sim/reset',
    summary: 'Reset to the start',
    description:
      'Resets everything to the state right after the start, including the world of the scenario that it was started with. All snapshots are removed. A clock that was started as `real` shows the machine’s time again.',
    locks: 'handler',
    settles: 'briefly',
    answer: {
      description: 'Service time now.',
      schema: z.strictObject({ at: z.string(), dropped: droppedSchema }).meta({ id: 'Reset' }),
    },
    errors: [busy],
    handler: ({ deps }) => deps.control.snapshots.reset(),
  }),
]
