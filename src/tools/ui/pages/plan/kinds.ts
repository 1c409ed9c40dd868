import { type ApiDocument, type FormSchema, resolved } from '../../api/schemas.js'

export interface PlanForm {
  /** As its path ends: `swap-and-supply`. */
  name: string
  summary: string
  description: string
  schema: FormSchema
  example: unknown
}

/** The plan kinds, in the order of the document. */
export function planForms(document: ApiDocument): PlanForm[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    const [, name] = /\/plan\/([\w-]+)$/.exec(path) ?? []
    const body = post?.requestBody?.content['application/json']
    if (name === undefined || name === 'execute' || !body) return []
    const schema = resolved(document, body.schema)
    const fields = Object.entries(schema.properties ?? {}).map(([field, about]) => [
      field,
      assetFieldOf(field, schema) === undefined ? about : inWholeUnits(about),
    ])
    return [
      {
        name,
        summary: post.summary ?? name,
        description: post.description?.split('\n')[0] ?? '',
        schema: { ...schema, properties: Object.fromEntries(fields) },
        example: body.example,
      },
    ]
  })
}

function inWholeUnits(field: FormSchema): FormSchema {
  const about = (field.description ?? '').replace(
    /, in (?:its|the asset’s) smallest unit| or 2\^256-1/g,
    '',
  )
  const description = `${about} \`10\` is in whole units, \`raw:10\` in the smallest.`
  return { ...field, description, example: '10' }
}

/** Which asset a field with an amount is about: the one whose field shares the most of its name. */
export function assetFieldOf(name: string, schema: FormSchema): string | undefined {
  if (!/amount/.test(name)) return undefined
  const fields = Object.keys(schema.properties ?? {}).filter((each) => /asset$/.test(each))
  const stem = name.replace(/_?amount.*$/, '').replace(/^(?:max|min)_\w*?_?(?=backing)/, '')
  const own = fields.find((each) => stem !== '' && each.startsWith(stem.split('_').at(-1) ?? stem))
  if (own !== undefined) return own
  if (fields.includes('asset')) return 'asset'
  return fields.find((each) => each.startsWith('backing')) ?? fields[0]
}
