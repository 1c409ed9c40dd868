// CommonJS: Node loads the modules by `require`.
const assert = require('node:assert/strict')
const { createSimulator } = require('svc-sim')
const { createSvcClient } = require('svc-sim/client')

async function main() {
  const sim = await createSimulator()
  const client = createSvcClient({ baseUrl: sim.url, apiKey: sim.apiKey })
  const { data } = await client.api.GET('/networks')
  await sim.close()
  assert.equal(data.networks.length, 5)
}
main()
