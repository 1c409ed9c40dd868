import { atPlans, defineAnswer, executePath, refused, sentFields } from './defineAnswer.js'

const others = [
  { name: 'linea', chain_id: 59_144, display_name: 'Linea' },
  { name: 'scroll', chain_id: 534_352, display_name: 'Scroll' },
]

const isList = (path: string): boolean => path === '/networks'

/** The list has the networks of today. Nobody has funds on one that has come later, so no plan there can be made. */
export const moreNetworks = defineAnswer({
  name: 'more_networks',
  summary:
    'The list of networks has two more, `linea` and `scroll`; plans on these return 400 `plan_failed`, because no account has anything there.',
  at: (route) => isList(route.path) || (atPlans(route) && route.path !== executePath),
  instead(call) {
    const { network } = sentFields(call)
    const found = others.find(({ name }) => name === network)
    return found && refused(400, 'plan_failed', `no funds on ${found.display_name}`)
  },
  alter(answer, { route }) {
    if (!isList(route.path) || answer.status !== 200) return answer
    const { networks } = answer.body as { networks: object[] }
    return { ...answer, body: { ...(answer.body as object), networks: [...networks, ...others] } }
  },
})
