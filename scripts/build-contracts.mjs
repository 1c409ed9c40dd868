// Compiles contracts/**/*.sol and writes what the rest of the build reads:
//   contracts/out/<Name>.json      abi, bytecode, deployedBytecode of each contract of ours
//   contracts/out/deployments.json the simulator's own contracts, with their fixed addresses
//   src/generated/abis.ts          every ABI as a typed constant
//   src/generated/svc.ts           addresses, and code that is put at addresses
// Contracts of other makers are made by vendor-contracts.mjs, at the same time.
// Does nothing when no input changed since the last run.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { planDeployments } from './deployments.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const outDir = join(root, 'contracts/out')
const generatedDir = join(root, 'src/generated')
const stamp = join(outDir, '.hash')
const require = createRequire(import.meta.url)

const settings = {
  // The oldest fork rules that the forked networks can be expected to run.
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  // No metadata in the code: addresses made by CREATE2 depend on nothing but the code itself.
  metadata: { bytecodeHash: 'none', appendCBOR: false },
}

const outputs = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object']

/** Packages that our sources import from. */
const libraries = ['@openzeppelin/contracts']

/** Functions with more arguments than the stack carries: only the slower pipeline compiles them. */
const viaIrSources = [
  'contracts/protocols/across/SpokePool.sol',
  'contracts/protocols/mocks/ForgetfulSpokePool.sol',
  'contracts/protocols/mocks/OldSpokePool.sol',
]

/** Our sources by path relative to the repository root, with `/`. */
function readSources() {
  const paths = readdirSync(join(root, 'contracts'), { recursive: true })
    .filter((path) => path.endsWith('.sol'))
    .map((path) => `contracts/${path.replaceAll('\\', '/')}`)
    .sort()
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

function hashInputs(sources) {
  const hash = createHash('sha256')
    .update(require('solc/package.json').version)
    .update(JSON.stringify([settings, viaIrSources]))
  for (const [path, content] of sources) hash.update(path).update(content)
  for (const name of libraries) hash.update(`${name} ${require(`${name}/package.json`).version}`)
  for (const script of ['build-contracts.mjs', 'deployments.mjs'])
    hash.update(readFileSync(join(root, 'scripts', script)))
  return hash.digest('hex')
}

/** Packages from npm; nothing else can be imported from outside. */
function resolveImport(path) {
  try {
    return { contents: readFileSync(require.resolve(path), 'utf8') }
  } catch {
    return {
      error: `import ${path} is neither a source of ours nor a file of an installed package`,
    }
  }
}

/** Every contract of ours by name. */
function compileAll(sources) {
  const usual = [...sources.keys()].filter((path) => !viaIrSources.includes(path))
  const compiled = new Map()
  for (const [paths, extra] of [
    [usual, {}],
    [viaIrSources, { viaIR: true }],
  ])
    for (const [name, contract] of compile(sources, paths, { ...settings, ...extra })) {
      if (compiled.has(name)) throw new Error(`two contracts are named ${name}; names must differ`)
      compiled.set(name, contract)
    }
  return new Map([...compiled].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The contracts of the given files, as [name, contract]. */
function compile(sources, paths, groupSettings) {
  const solc = require('solc')
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries([...sources].map(([path, content]) => [path, { content }])),
    settings: {
      ...groupSettings,
      outputSelection: Object.fromEntries(paths.map((path) => [path, { '*': outputs }])),
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: resolveImport }))
  // What the compiler remarks on a library is for its makers.
  const messages = (output.errors ?? []).filter(
    ({ severity, sourceLocation }) =>
      severity === 'error' || sourceLocation === undefined || sources.has(sourceLocation.file),
  )
  for (const message of messages) console.error(message.formattedMessage)
  if (messages.some((message) => message.severity === 'error'))
    throw new Error('the contracts do not compile; see above')
  return paths.flatMap((path) =>
    Object.entries(output.contracts[path] ?? {}).map(([name, contract]) => [
      name,
      {
        abi: contract.abi,
        bytecode: `0x${contract.evm.bytecode.object}`,
        deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
      },
    ]),
  )
}

/** `CometSupply` -> `cometSupplyAbi`, `ICometReads` -> `iCometReadsAbi`. */
function abiName(contract) {
  return `${contract[0].toLowerCase()}${contract.slice(1)}Abi`
}

/** `Name(types)`, tuples as their components. */
function signatureOf({ name, inputs }) {
  const typeOf = ({ type, components }) =>
    components ? `(${components.map(typeOf)})${type.slice('tuple'.length)}` : type
  return `${name}(${inputs.map(typeOf)})`
}

function errorsOf(compiled) {
  const items = [...compiled.values()].flatMap(({ abi }) => abi)
  const errors = items.filter(({ type }) => type === 'error').map(signatureOf)
  return [...new Set(errors)].sort()
}

function writeOutput(compiled) {
  // Gone first: what breaks off must not be taken for what the stamp describes.
  rmSync(stamp, { force: true })
  mkdirSync(outDir, { recursive: true })
  // Files only: the folder in it is the makers' contracts, which may be written at this moment.
  for (const entry of readdirSync(outDir, { withFileTypes: true }))
    if (entry.isFile()) rmSync(join(outDir, entry.name))
  mkdirSync(generatedDir, { recursive: true })
  for (const [name, contract] of compiled)
    writeFileSync(join(outDir, `${name}.json`), JSON.stringify(contract))
  const { deployments, addresses } = planDeployments(compiled)
  writeFileSync(join(outDir, 'deployments.json'), JSON.stringify(deployments, null, 1))
  const header = '// Generated by scripts/build-contracts.mjs; not edited by hand.\n'
  writeFileSync(
    join(generatedDir, 'abis.ts'),
    header +
      [...compiled]
        .map(
          ([name, { abi }]) => `export const ${abiName(name)} = ${JSON.stringify(abi)} as const\n`,
        )
        .join(''),
  )
  writeFileSync(
    join(generatedDir, 'errors.ts'),
    `${header}
/** The custom errors of all contracts here, each once: \`Name(types)\`. */
export const contractErrors: readonly string[] = ${JSON.stringify(errorsOf(compiled), null, 2)}
`,
  )
  writeFileSync(
    join(generatedDir, 'svc.ts'),
    `${header}import type { Hex } from 'viem'

/** Addresses of the simulator's own contracts, the same on every network. */
export const svcAddresses = ${JSON.stringify(addresses, null, 2)} as const

/** Runtime code of \`WalletSimulator\`, put at a wallet's address for one \`eth_call\`. */
export const walletSimulatorCode: Hex =
  '${compiled.get('WalletSimulator').deployedBytecode}'

/** Runtime code of \`MovedFeed\`, put at the addresses of feeds on forks; its parameters follow behind it. */
export const movedFeedCode: Hex =
  '${compiled.get('MovedFeed').deployedBytecode}'
`,
  )
}

const sources = readSources()
const hash = hashInputs(sources)
if (
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === hash &&
  existsSync(join(generatedDir, 'svc.ts')) &&
  existsSync(join(generatedDir, 'errors.ts'))
) {
  console.log('contracts: unchanged')
} else {
  const compiled = compileAll(sources)
  writeOutput(compiled)
  writeFileSync(stamp, hash)
  console.log(`contracts: ${compiled.size} compiled`)
}
