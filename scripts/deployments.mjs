import { concat, encodeAbiParameters, getCreate2Address, keccak256 } from 'viem'

/** The CREATE2 deployer that stands at this address on nearly every network, anvil included. */
export const create2Deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** Owner of what has an owner; the same as `actors.admin` of src/deployments/actors.ts (a test compares them). */
export const admin = '0x496ed5487da623bf968f762c37d4948072d59aff'

const salt = `0x${'00'.repeat(32)}`

/**
 * The simulator's own contracts in the order in which they are deployed, with addresses that depend on their code alone:
 * most through the CREATE2 deployer, scripts through the script store. The world build and forks replay this list.
 */
export function planDeployments(compiled) {
  const deployments = []
  const add = (name, via, deployer, args = []) => {
    const contract = compiled.get(name)
    if (!contract)
      throw new Error(`contract ${name} is listed in deployments.mjs but was not compiled`)
    const inputs = contract.abi.find((item) => item.type === 'constructor')?.inputs ?? []
    const initcode = concat([contract.bytecode, encodeAbiParameters(inputs, args)])
    const address = getCreate2Address({
      from: deployer,
      salt,
      bytecodeHash: keccak256(initcode),
    }).toLowerCase()
    deployments.push({ name, initcode, address, via })
    return address
  }
  const nonceManager = add('SvcNonceManager', 'create2', create2Deployer)
  const scriptStore = add('SvcScriptStore', 'create2', create2Deployer)
  const walletImplementation = add('SvcWallet', 'create2', create2Deployer, [
    nonceManager,
    scriptStore,
  ])
  const factory = add('SvcWalletFactory', 'create2', create2Deployer, [walletImplementation])
  const script = (name) => add(name, 'scriptStore', scriptStore)
  const scripts = {
    cometSupply: script('CometSupply'),
    cometWithdraw: script('CometWithdraw'),
    aaveActions: script('AaveActions'),
    vaultActions: script('VaultActions'),
    transfer: script('Transfer'),
    swap: script('Swap'),
    wrap: script('Wrap'),
    acrossDeposit: script('AcrossDeposit'),
    cometBorrow: script('CometBorrow'),
    cometRepay: script('CometRepay'),
    morphoActions: script('MorphoActions'),
    loopLong: script('LoopLong'),
    unloopLong: script('UnloopLong'),
    cometClaimRewards: script('CometClaimRewards'),
    morphoClaimRewards: script('MorphoClaimRewards'),
  }
  const exchange = add('Exchange', 'create2', create2Deployer, [admin])
  const priceHub = add('PriceHub', 'create2', create2Deployer, [admin])
  return {
    deployments,
    addresses: {
      factory,
      walletImplementation,
      nonceManager,
      scriptStore,
      scripts,
      exchange,
      priceHub,
    },
  }
}
