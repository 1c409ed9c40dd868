import type { Page } from 'playwright-core'

/** The document that the page at `/docs` shows, as far as tests look at it. */
interface ShownDocument {
  info: { description: string }
  paths: Record<string, Record<string, ShownOperation>>
}

interface ShownOperation {
  operationId: string
  parameters?: { name?: string; schema?: { example?: string } }[]
  requestBody?: { content: { 'application/json': { example: Record<string, string> } } }
}

/** What the page at `/docs` offers to try out. */
export async function docsExamples(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/docs/swagger-ui-init.js`, { headers })
  const script = await response.text()
  const options = /var options = .*?\n};/s.exec(script)![0]
  const { swaggerDoc } = new Function(`${options} return options`)() as {
    swaggerDoc: ShownDocument
  }
  const operations = Object.values(swaggerDoc.paths).flatMap((path) => Object.values(path))
  const parameters = operations.flatMap((operation) => operation.parameters ?? [])
  const named = (name: string) => [
    ...new Set(
      parameters.flatMap((each) => (each.name === name ? (each.schema?.example ?? []) : [])),
    ),
  ]
  const bodyOf = (operationId: string) =>
    operations.find((each) => each.operationId === operationId)!.requestBody!.content[
      'application/json'
    ].example
  return {
    status: response.status,
    script,
    description: swaggerDoc.info.description,
    accounts: named('account_id'),
    activities: named('activity_id'),
    bodyOf,
  }
}

/** Runs the example of an operation on the page at `/docs` or `/_sim/openapi`; resolves to what the page shows of the response. */
export async function tryOut(page: Page, operation: string) {
  const block = page.locator(`#operations-${operation}`)
  await block.locator('.opblock-summary-control').click()
  await block.getByRole('button', { name: 'Try it out' }).click()
  await block.getByRole('button', { name: 'Execute', exact: true }).click()
  const response = block.locator('.live-responses-table .response')
  const [status, body] = await Promise.all([
    response.locator('.response-col_status').textContent(),
    response.locator('.highlight-code code').first().textContent(),
  ])
  return { status: status?.trim(), body: body ?? '' }
}
