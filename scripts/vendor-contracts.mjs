// The makers' own contracts that the offline world runs, as contracts/out/vendor/<Name>.json with abi, bytecode and, where
// the code is linked later, linkReferences. Aave and Uniswap come compiled in their packages; Morpho Blue comes as source and is
// compiled here with the compiler and settings that its source demands. NOTICE lists the packages and their licences.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

const aave = '@aave/core-v3/artifacts/contracts'
const aavePeriphery = '@aave/periphery-v3/artifacts/contracts'
const uniswapCore = '@uniswap/v3-core/artifacts/contracts'
const uniswapPeriphery = '@uniswap/v3-periphery/artifacts/contracts'
const uniswapRouter = '@uniswap/swap-router-contracts/artifacts/contracts'

/** Compiled contracts inside packages: folder of the `<Name>.sol/<Name>.json` file. */
const compiled = {
  PoolAddressesProvider: `${aave}/protocol/configuration`,
  ACLManager: `${aave}/protocol/configuration`,
  AaveOracle: `${aave}/misc`,
  AaveProtocolDataProvider: `${aave}/misc`,
  L2Pool: `${aave}/protocol/pool`,
  PoolConfigurator: `${aave}/protocol/pool`,
  DefaultReserveInterestRateStrategy: `${aave}/protocol/pool`,
  BorrowLogic: `${aave}/protocol/libraries/logic`,
  BridgeLogic: `${aave}/protocol/libraries/logic`,
  ConfiguratorLogic: `${aave}/protocol/libraries/logic`,
  EModeLogic: `${aave}/protocol/libraries/logic`,
  FlashLoanLogic: `${aave}/protocol/libraries/logic`,
  LiquidationLogic: `${aave}/protocol/libraries/logic`,
  PoolLogic: `${aave}/protocol/libraries/logic`,
  SupplyLogic: `${aave}/protocol/libraries/logic`,
  AToken: `${aave}/protocol/tokenization`,
  StableDebtToken: `${aave}/protocol/tokenization`,
  VariableDebtToken: `${aave}/protocol/tokenization`,
  UiPoolDataProviderV3: `${aavePeriphery}/misc`,
  UniswapV3Factory: uniswapCore,
  UniswapV3Pool: uniswapCore,
  NonfungiblePositionManager: uniswapPeriphery,
  SwapRouter02: uniswapRouter,
  QuoterV2: `${uniswapRouter}/lens`,
}

const morphoPackage = '@morpho-org/morpho-blue/src'
const morphoSettings = {
  viaIR: true,
  optimizer: { enabled: true, runs: 999_999 },
  evmVersion: 'paris',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { 'Morpho.sol': { Morpho: ['abi', 'evm.bytecode.object'] } },
}

/** Writes the artifacts into `contracts/out/vendor`, unless what is there was made from the same packages and settings. */
function vendorContracts() {
  const dir = fileURLToPath(new URL('../contracts/out/vendor', import.meta.url))
  const stamp = join(dir, '.hash')
  const hash = inputHash()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash)
    return console.log('vendor contracts: unchanged')
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  const write = (name, contract) =>
    writeFileSync(join(dir, `${name}.json`), JSON.stringify(contract))
  for (const [name, folder] of Object.entries(compiled)) {
    const { abi, bytecode, linkReferences } = readJson(`${folder}/${name}.sol/${name}.json`)
    write(name, { abi, bytecode, linkReferences })
  }
  write('Morpho', compileMorpho())
  writeFileSync(stamp, hash)
  console.log(`vendor contracts: ${Object.keys(compiled).length} taken over, Morpho compiled`)
}

/** Over the versions of the packages and this script: what a package holds under one version does not change. */
function inputHash() {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  for (const name of [
    '@aave/core-v3',
    '@aave/periphery-v3',
    '@uniswap/v3-core',
    '@uniswap/v3-periphery',
    '@uniswap/swap-router-contracts',
    '@morpho-org/morpho-blue',
    'solc-0.8.19',
  ])
    hash.update(readJson(`${name}/package.json`).version)
  return hash.digest('hex')
}

/** The compiler is loaded here, since a build that finds everything unchanged need not have it in memory. */
function compileMorpho() {
  const solc = require('solc-0.8.19')
  const read = (path) => readFileSync(require.resolve(`${morphoPackage}/${path}`), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'Morpho.sol': { content: read('Morpho.sol') } },
    settings: morphoSettings,
  }
  const findImport = (path) => ({ contents: read(path) })
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport }))
  const errors = (output.errors ?? []).filter((message) => message.severity === 'error')
  if (errors.length > 0)
    throw new Error(
      `Morpho Blue does not compile:\n${errors.map((e) => e.formattedMessage).join('')}`,
    )
  const { abi, evm } = output.contracts['Morpho.sol'].Morpho
  return { abi, bytecode: `0x${evm.bytecode.object}`, linkReferences: {} }
}

function readJson(path) {
  const file = require.resolve(path)
  return JSON.parse(readFileSync(file, 'utf8'))
}

vendorContracts()
