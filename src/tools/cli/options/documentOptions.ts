import { oneOf } from './optionValues.js'

/** The options of the commands that print documents: a part of `optionTable`. */
export const documentOptions = {
  control: {
    commands: ['openapi'],
    help: 'print the document of the control API instead of the service API',
  },
  oas: {
    commands: ['openapi'],
    value: 'VERSION',
    help: 'version of OpenAPI, 3.1 or 3.0',
    parse: oneOf(['3.1', '3.0'] as const),
    fallback: '3.1',
  },
  forClients: {
    commands: ['openapi'],
    help: 'for client generators: leave out what only the simulator has, such as its headers',
  },
  format: {
    commands: ['openapi', 'env'],
    value: 'FORMAT',
    help: 'yaml or json (default: by the name of --out, otherwise yaml)',
    helpOf: { env: 'sh, dotenv or json (default: sh)' },
    parse: oneOf(['yaml', 'json', 'sh', 'dotenv'] as const),
  },
  schema: {
    commands: ['corpus'],
    help: 'print the JSON Schema of the corpus instead',
  },
} as const
