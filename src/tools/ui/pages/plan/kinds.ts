import { type ApiDocument, type FormSchema, resolved } from '../../api/schemas.js'

/** A plan kind as the document describes it. */
export interface PlanForm {
  /** As its path ends: `swap-and-supply`. */
  name: string
  summary: string
  description: string
  schema: FormSchema
  example: unknown
}

/** The plan kinds of the service, in the order of its document. */
export function planForms(document: ApiDocument): PlanForm[] {
  return Object.entries(document.paths).flatMap(([path, { post }]) => {
    const [, name] = /\/plan\/([\w-]+)$/.exec(path) ?? []
    const body = post?.requestBody?.content['application/json']
    if (name === undefined || name === 'execute' || !body) return []
    return [
      {
        name,
        summary: post.summary ?? name,
        description: post.description?.split('\n')[0] ?? '',
        schema: resolved(document, body.schema),
        example: body.example,
      },
    ]
  })
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
