// Starts two nodes in a process of its own, for tests that end it in some way. It prints one line when it is ready.
// Arguments: the compiled `nodes.js`; `graceful` to take SIGINT and SIGTERM as a program does that saves before it goes.
const [, , nodesFile, mode] = process.argv
const { startNodes } = await import(nodesFile)
const nodes = await startNodes({ networks: ['base', 'polygon'] })

async function stop() {
  // Saving comes here, and it needs the nodes.
  const chainIds = await Promise.all(nodes.all().map((node) => node.rpc.request('eth_chainId')))
  await nodes.stop()
  console.log(JSON.stringify(chainIds))
  clearInterval(alive)
}

if (mode === 'graceful') {
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}
const alive = setInterval(() => {}, 1e6) // the nodes alone would not keep it alive
console.log('ready')
