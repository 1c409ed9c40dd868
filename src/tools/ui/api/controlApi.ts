export type { components, paths } from '../../../clients/control/controlApi.js'
