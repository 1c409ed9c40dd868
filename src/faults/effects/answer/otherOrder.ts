import { defineAnswer } from './defineAnswer.js'
import { type JsonObject, mapObjects } from './json.js'

/** Lists whose order nobody has promised. Operations, steps and events have one. */
const lists = [
  'accounts',
  'activities',
  'collateral_assets',
  'markets',
  'networks',
  'pairs',
  'reserves',
]

function turned(object: JsonObject, keepLists: boolean): JsonObject {
  const entries = Object.entries(object).map(([key, value]): [string, unknown] => [
    key,
    !keepLists && lists.includes(key) && Array.isArray(value) ? value.toReversed() : value,
  ])
  return Object.fromEntries(entries.reverse())
}

/** Keys of an object have no order, and few lists have one that is promised. */
export const otherOrder = defineAnswer({
  name: 'other_order',
  summary:
    'The keys of every object are reversed, and so are lists whose order is not promised: networks, markets, accounts, activities, and the pairs of a folio stream message. A page of a list keeps its order, because the next page is requested by its last element.',
  alter: (answer, { isPart }) => ({
    ...answer,
    body: mapObjects(answer.body, (object) => turned(object, isPart)),
  }),
})
