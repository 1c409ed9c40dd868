import { decodeEventLog, parseAbi, toEventSelector } from 'viem/utils'
import { WebSocket } from 'ws'

const chainIds = { mainnet: 1, base: 8453, arbitrum: 42161, optimism: 10, polygon: 137 }
const abi = parseAbi([
  'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
  'struct FillInfo { bytes32 updatedRecipient; bytes32 updatedMessageHash; uint256 updatedOutputAmount; uint8 fillType; }',
  'event FilledRelay(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 repaymentChainId, uint256 indexed originChainId, uint256 indexed depositId, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 exclusiveRelayer, bytes32 indexed relayer, bytes32 depositor, bytes32 recipient, bytes32 messageHash, FillInfo fillInfo)',
])
const topics = abi.filter(({ type }) => type === 'event').map((event) => toEventSelector(event))

/**
 * Listens to the nodes: how long each deposit waited for its fill, in milliseconds as a client sees it. `open` counts the
 * deposits that have not been filled.
 */
export async function watchFills({ rpc }) {
  const deposited = new Map()
  const took = []
  const hear = (chainId, log) => {
    const { eventName, args } = decodeEventLog({ abi, ...log })
    if (eventName === 'FundsDeposited')
      deposited.set(`${chainId}/${args.depositId}`, performance.now())
    else {
      const key = `${args.originChainId}/${args.depositId}`
      if (deposited.has(key)) took.push(performance.now() - deposited.get(key))
      deposited.delete(key)
    }
  }
  const sockets = await Promise.all(
    Object.entries(chainIds).map(([network, chainId]) =>
      subscribe(rpc[network], (log) => hear(chainId, log)),
    ),
  )
  return {
    took,
    open: () => deposited.size,
    stop() {
      for (const socket of sockets) socket.terminate()
    },
  }
}

function subscribe(url, onLog) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'))
    socket.on('error', reject)
    socket.on('open', () =>
      socket.send(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'eth_subscribe',
          params: ['logs', { topics: [topics] }],
        }),
      ),
    )
    socket.on('message', (text) => {
      const { id, error, params } = JSON.parse(text)
      if (error) reject(new Error(error.message))
      else if (id === 1) resolve(socket)
      else onLog(params.result)
    })
  })
}
