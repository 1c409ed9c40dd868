// What happens to several keys of the directory at once, in Redis' own language. Their names begin with ARGV[1], which is in braces, so
// that a cluster keeps all of them in one place:
//   worker:ID  where a worker is; ends by itself unless it announces itself again
//   warm, room  who has how many: sorted sets of the ids of workers
//   lost:ID    why a worker was given up
//   world:ID   a lease, as JSON
//   key:HASH   the world of a key
//   begun      that it is not new; who finds it missing sets it
//   young      that it was new a moment ago, so that workers have yet to say what they have

/** Marks a directory that is found empty: it is new, or has lost what it knew. ARGV: prefix, then how long workers take to say all again. */
const noticeLoss = `
if redis.call('SET', ARGV[1] .. 'begun', '1', 'NX') then
  redis.call('SET', ARGV[1] .. 'young', '1', 'PX', ARGV[2])
end
`

/** ARGV: prefix, toldAgainMs, id, url, warm, room, forMs. */
const announce = `
${noticeLoss}
local p, id = ARGV[1], ARGV[3]
if redis.call('EXISTS', p .. 'lost:' .. id) == 1 then return 'lost' end
local known = redis.call('EXISTS', p .. 'worker:' .. id)
redis.call('SET', p .. 'worker:' .. id, ARGV[4], 'PX', ARGV[7])
redis.call('ZADD', p .. 'warm', ARGV[5], id)
redis.call('ZADD', p .. 'room', ARGV[6], id)
return known == 1 and 'known' or 'new'
`

/** ARGV: prefix, then the ids of workers that are out of the question. Those who are gone are swept out on the way. */
const place = `
local p = ARGV[1]
local except = {}
for i = 2, #ARGV do except[ARGV[i]] = true end
local function best(set)
  local at = 0
  while true do
    local top = redis.call('ZREVRANGE', p .. set, at, at, 'WITHSCORES')
    if #top == 0 or tonumber(top[2]) <= 0 then return nil end
    local id = top[1]
    local url = redis.call('GET', p .. 'worker:' .. id)
    if not url then
      redis.call('ZREM', p .. 'warm', id)
      redis.call('ZREM', p .. 'room', id)
    elseif except[id] or tonumber(redis.call('ZSCORE', p .. 'room', id) or 0) <= 0 then
      at = at + 1
    else
      return { id, url }
    end
  end
end
local found = best('warm') or best('room')
if not found then return false end
if tonumber(redis.call('ZSCORE', p .. 'warm', found[1]) or 0) > 0 then
  redis.call('ZINCRBY', p .. 'warm', -1, found[1])
end
redis.call('ZINCRBY', p .. 'room', -1, found[1])
return found
`

/** ARGV: prefix. Resolves to id, url, warm and room in turn. */
const workers = `
local p = ARGV[1]
local all = {}
for _, id in ipairs(redis.call('ZRANGE', p .. 'room', 0, -1)) do
  local url = redis.call('GET', p .. 'worker:' .. id)
  if url then
    table.insert(all, id)
    table.insert(all, url)
    table.insert(all, redis.call('ZSCORE', p .. 'warm', id) or '0')
    table.insert(all, redis.call('ZSCORE', p .. 'room', id) or '0')
  end
end
return all
`

/** ARGV: prefix, id, reason, forMs. */
const giveUp = `
local p, id = ARGV[1], ARGV[2]
redis.call('SET', p .. 'lost:' .. id, ARGV[3], 'NX', 'PX', ARGV[4])
redis.call('DEL', p .. 'worker:' .. id)
redis.call('ZREM', p .. 'warm', id)
redis.call('ZREM', p .. 'room', id)
return 1
`

/** ARGV: prefix, worker id, world id, hash of its key, the lease, forMs. */
const put = `
local p = ARGV[1]
if redis.call('EXISTS', p .. 'lost:' .. ARGV[2]) == 1 then return 0 end
redis.call('SET', p .. 'world:' .. ARGV[3], ARGV[5], 'PX', ARGV[6])
redis.call('SET', p .. 'key:' .. ARGV[4], ARGV[3], 'PX', ARGV[6])
return 1
`

/**
 * ARGV: prefix, toldAgainMs, `id` or `key`, the id of a world or the hash of its key. Resolves to the lease and why its worker is gone;
 * to `unknown yet` when a worker may have yet to say it.
 */
const find = `
${noticeLoss}
local p = ARGV[1]
local id = ARGV[4]
if ARGV[3] == 'key' then id = redis.call('GET', p .. 'key:' .. id) end
local lease = id and redis.call('GET', p .. 'world:' .. id)
if not lease then
  return redis.call('EXISTS', p .. 'young') == 1 and 'unknown yet' or false
end
return { lease, redis.call('GET', p .. 'lost:' .. cjson.decode(lease).worker.id) }
`

/** ARGV: prefix, id of the world, hash of its key. */
const remove = `return redis.call('DEL', ARGV[1] .. 'world:' .. ARGV[2], ARGV[1] .. 'key:' .. ARGV[3])`

/** By the names of what they do. */
export const scripts = { announce, place, workers, giveUp, put, find, remove } as const
