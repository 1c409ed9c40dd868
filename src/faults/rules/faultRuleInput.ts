// Made from the schemas of fault rules by test/unit/faultTypes.test.ts; never edited by hand.
// `npx vitest run test/unit/faultTypes.test.ts -u` writes it anew.

/** The settings of each effect, by seam. */
export interface FaultSettings {
  request: {
    /** The request waits `ms` milliseconds of the clock before anything is done; with a frozen clock until it is advanced. Removing the rule ends the wait. */
    latency: { ms: number }
    /** Nothing is done and no answer comes, until the client gives up. Removing the rule cuts the connection. */
    hang: Record<string, never>
    /** The error `error` is answered with its own status, and nothing is done; with `done` all is done first, as when a service breaks after it has landed a transaction. A rule that names a path, kind or method may only ask for what a matching route documents. */
    respond: { error: 'invalid_params' | 'plan_failed' | 'no_wallet' | 'missing_auth_header' | 'invalid_api_key' | 'api_key_revoked' | 'forbidden' | 'account_not_found' | 'plan_not_found' | 'not_found' | 'method_not_allowed' | 'timeout' | 'account_already_exists' | 'plan_stale' | 'conflict' | 'payload_too_large' | 'headers_too_large' | 'rate_limited' | 'swap_quote_failed' | 'world_lost' | 'fleet_unavailable' | 'internal_error'; message?: string; done?: boolean }
    /** The connection is cut, and nothing has been done. */
    reset_before: Record<string, never>
    /** Everything is done, and the connection is cut without an answer. */
    reset_after: Record<string, never>
    /** Everything is done; the head of the answer and the first half of its body arrive, then the connection is cut. */
    truncate: Record<string, never>
    /** 429 `rate_limited` with the header `retry-after: <seconds>`; nothing is done. */
    rate_limit: { retry_after?: number }
  }
  folio: {
    /** A folio that is computed, for its own endpoint or for a plan, takes `ms` milliseconds of the clock longer. Removing the rule ends the wait. */
    latency: { ms: number }
    /** 408 `timeout` on the folio and on plan endpoints, after `seconds` of the clock or at once. `cached=true` still answers. */
    timeout: { seconds?: number }
    /** The folio endpoint answers the account’s most recent folio although a fresh one was asked for; the first one is computed. */
    serve_stale: Record<string, never>
  }
  quote: {
    /** The aggregator hangs up without an answer: 422 `swap_quote_failed`. */
    unavailable: Record<string, never>
    /** The aggregator answers `status` (503 when absent): 422 `swap_quote_failed`. */
    http_error: { status?: number }
    /** The aggregator does not answer; after 5 seconds the service gives up: 422 `swap_quote_failed`. Removing the rule makes it hang up. */
    timeout: Record<string, never>
    /** The aggregator answers the first half of its JSON as if it were all: 422 `swap_quote_failed`. */
    malformed: Record<string, never>
    /** The aggregator answers a quote that expired a second ago: 422 `swap_quote_failed`. */
    expired: Record<string, never>
    /** From the first quote at which the rule fires, the exchange of its network really settles `bps` basis points worse than quoted, until the rule is removed; before that quote, plans that were made before are executed as quoted. Up to 99 less arrives; where the bought amount is exact, up to 98 more is taken. Beyond that plans are 400 `plan_failed`, and those made before 409 `plan_stale`. */
    slippage: { bps: number }
    /** From the first quote at which the rule fires, the exchange really holds nothing of the bought asset on that network: quotes are 422 `swap_quote_failed`, plans made before are 409 `plan_stale`; before that quote these are executed as quoted. Removing the rule puts it back. */
    drain: Record<string, never>
  }
  plan: {
    /** Right after the plan was made the world really changes, and stays so: `by: nonce` (default) its nonce is used up on chain; `by: price` what it buys costs a tenth more everywhere (kinds with quotes); `by: balance` the wallet loses all of the asset that it was to spend (kinds that spend). Executing is 409 `plan_stale`. */
    stale: { by?: 'nonce' | 'price' | 'balance' }
    /** The plan expires the moment it is answered, although its `expires_at` is two minutes away: executing it is 404 `plan_not_found`. */
    expire: Record<string, never>
    /** Planning is 400 `plan_failed` with `reason` as its message. */
    fail: { reason?: string }
    /** Planning is 400 `no_wallet`, whatever the account has. */
    no_wallet: Record<string, never>
  }
  execute: {
    /** The signature is changed by one bit on its way, and the wallet contract refuses it: 500 `internal_error`. Nothing is sent; the plan stays usable. */
    reject_signature: Record<string, never>
    /** The transaction is sent and reverts on chain: `by: nonce` (default), its nonce was used up a moment before; `by: gas`, it runs out of gas. The activity fails with the decoded reason; nothing has moved. */
    revert: { by?: 'nonce' | 'gas' }
    /** The transaction waits in the node’s pool, and the activity stays pending with its hash, until `seconds` have gone by on the clock or the rule is removed. Then it is mined. A restart of the simulator ends that for what is waiting: the transaction is sent again, the usual way. */
    stuck: { seconds?: number }
    /** The node accepts the transaction and drops it from its pool. The activity is pending with a hash that nobody knows, and fails after `seconds` (30) of the clock; nothing has moved. Removing the rule before that, or a restart of the simulator, ends it: the transaction is sent again, the usual way, and is mined. */
    dropped: { seconds?: number }
    /** The plan is executed, its immediate transactions land, and the connection is cut without an answer. The activity is there to be found. */
    response_lost: Record<string, never>
    /** The same signed operations are sent in two transactions. The second reverts on the nonce: money moves once, the activity is confirmed once. */
    duplicate: Record<string, never>
  }
  bridge: {
    /** The fill comes `seconds` of the clock later, the activity is pending meanwhile. When the deposit’s deadline (10 minutes after its plan was made) has passed by then, it is refunded on its origin network instead, also only after `seconds`, and the activity fails. */
    delay: { seconds: number }
    /** The deposit is never filled: debited on one network, nothing on the other, the activity pending. After the deadline (10 minutes of the clock) it is refunded on its origin network and the activity fails. Removing the rule before that fills it. */
    stuck: Record<string, never>
    /** The deposit is not filled and is refunded on its origin network at once. The activity fails; the money is back, less nothing. */
    refund: Record<string, never>
    /** Only `percent` of the output arrives (rounded down) and nothing is refunded. What waited for it is sent and reverts on chain, so the activity fails with that reason; what arrived stays in the wallet on the target network. */
    partial: { percent?: number }
  }
  chain: {
    /** The nodes of the network (or of all) answer nothing: reads are 408 `timeout` after the read timeout, an execution is 500 `internal_error`, `/rpc` answers an error after 35 s, `/health/ready` is 503. Stands until the rule is removed; then everything goes on. Not on Windows. */
    down: Record<string, never>
    /** Each JSON-RPC request to the network (or any), by the service or through `/rpc`, takes `ms` milliseconds of real time longer. Beyond the read timeout, reads are 408 `timeout`. */
    slow: { ms: number }
    /** After the activity was confirmed, the last `depth` (1 to 30; at least back to the plan’s transaction, at most to the last snapshot or native funds from the faucet) blocks of its network are replaced by others. The transaction falls out: the activity goes back to pending, is sent again and confirmed again. With `keep` it is mined again in a block of another hash, and the activity stays confirmed. */
    reorg: { depth?: number; keep?: boolean }
    /** The network (or all) mines no blocks: transactions wait in the pool and activities are pending, reads go on. Stands until the rule is removed; then everything that waits is mined. */
    halt: Record<string, never>
  }
  events: {
    /** An event is delivered `seconds` of the clock after it happened, with its old timestamp and a cursor of its delivery; others may overtake it. Removing the rule delivers it. */
    delay: { seconds: number }
    /** An event is delivered twice in a row: two equal elements of `events`, the second under the next cursor. */
    duplicate: Record<string, never>
    /** An event is never delivered. The activity has changed all the same: `GET /activities/:id` tells. */
    drop: Record<string, never>
    /** An event is delivered right after the next one of the account: `confirmed` before `pending`. Cursors grow in the order of delivery, timestamps tell the true one. Removing the rule delivers what still waits for a next one. */
    reorder: Record<string, never>
  }
  answer: {
    /** Every object of the answer, errors and messages of the folio stream included, has a further field `added_later`, an object. Tables whose keys are data (assets, networks of an asset, sections of the folio) get no further key. */
    unknown_fields: Record<string, never>
    /** Before an event of the account another one is delivered, of a type that nobody has documented (`portfolio_revalued`) and with other data. It has a cursor of its own, and is there for all later reads. */
    unknown_events: Record<string, never>
    /** Before a message of the folio stream comes one of another name, `revision`, with other data. */
    unknown_messages: Record<string, never>
    /** Values that interface.md does not list are others: an activity that is under way is `settling`, its executions are `in_progress`, and action types beyond the four known ones end with `_V2`. `confirmed` and `failed` stay. */
    unknown_values: Record<string, never>
    /** The keys of every object come in reverse, and so do lists whose order is not promised: networks, markets, accounts, activities, and the pairs of a message of the folio stream. A part of a list keeps its order, since the next part is asked for by its last element. */
    other_order: Record<string, never>
    /** The `message` of an error is another one, which names neither fields nor values; code and status stay. Other answers stay as they are. */
    other_texts: Record<string, never>
    /** Every ISO 8601 timestamp is the same instant in another form: with milliseconds (`2026-01-01T00:02:00.000Z`), or with an offset (`2026-01-01T02:02:00+02:00`). */
    other_times: { form?: 'milliseconds' | 'offset' }
    /** Accounts, plans, intents and activities that the request makes get ids of another form for good: the known prefix, then 26 capital letters and digits. */
    other_ids: Record<string, never>
    /** Every address in the answer, that of the signer included, is written with its checksum, in lower case or in upper case, however it was sent. */
    other_casing: { as?: 'checksum' | 'lower' | 'upper' }
    /** An event of the account gets a cursor far beyond the one before, up to `most` further. Later events go on from there, so every cursor that was ever answered can be resumed from. */
    sparse_cursors: { most?: number }
    /** The list of networks has two more, `linea` and `scroll`; plans on these are 400 `plan_failed`, since no account has anything there. */
    more_networks: Record<string, never>
    /** A plan has the fields of interface.md alone: no version, no steps, no domain separator, and four fields in each action context. Errors have no `message`, except at account creation, where it is shown. */
    absent_optionals: Record<string, never>
    /** An unknown account is another error on plan endpoints and execute: 403 `forbidden`, 400 `invalid_params` or 404 `not_found`. */
    unknown_account: { as?: 'forbidden' | 'invalid_params' | 'not_found' }
    /** The account is looked at before the fields: a malformed request for an unknown account is 404 `account_not_found`. */
    account_first: Record<string, never>
    /** A request with a field that the endpoint does not know, in body or query, is 400 `invalid_params`; nothing is done. */
    strict_requests: Record<string, never>
    /** The zero address as signer is 400 `invalid_params`; no account is made. */
    zero_signer_refused: Record<string, never>
    /** The word `max` as an amount is 400 `invalid_params`; nothing is planned. */
    max_refused: Record<string, never>
    /** A plan for an amount of zero that would be 400 `invalid_params` is 400 `plan_failed`. */
    zero_amount_fails: Record<string, never>
    /** A plan with an asset that the network does not have is 400 `plan_failed` instead of `invalid_params`. */
    unknown_asset_fails: Record<string, never>
    /** Migrating a market to itself is 400 `invalid_params` instead of `plan_failed`. */
    same_market_invalid: Record<string, never>
    /** A successful execution is answered with 202 instead of 200. */
    execute_accepted: Record<string, never>
    /** Executing a plan that was executed already is 409 `plan_stale`; its money has moved, so a client that plans again moves it twice. */
    consumed_plan_stale: Record<string, never>
    /** A plan whose execution is refused with 500 `internal_error`, for its signature or for anything else, is used up: executing it again is 404 `plan_not_found`. */
    failure_uses_plan_up: Record<string, never>
    /** A plan that is stale and wrongly signed is 500 `internal_error` instead of 409 `plan_stale`. */
    signature_first: Record<string, never>
    /** The `id` of an activity is its `act_` text instead of an integer. */
    activity_id_text: Record<string, never>
    /** An unknown activity is 404 `activity_not_found` instead of `not_found`. */
    activity_not_found: Record<string, never>
  }
}

/** What a rule says besides its seam and its effect. */
interface RuleFields {
  /** Id to remove the rule by; generated when absent. */
  id?: string
  /** Which calls it applies to; all conditions must match. */
  match?: { account_id?: string; kind?: string; network?: 'mainnet' | 'base' | 'arbitrum' | 'optimism' | 'polygon'; asset?: string; path?: string; method?: string }
  /** Matching calls that pass first. */
  after?: number
  /** How often it fires. */
  times?: number
  /** Chance that it fires, drawn from the run’s seed. */
  probability?: number
}

/** An effect by its name, or as `{ name: settings }`; the name alone will do when nothing has to be set. */
type Step<Effects> = {
  [Name in keyof Effects & string]:
    | { [N in Name]: Effects[Name] }
    | ({} extends Effects[Name] ? Name : never)
}[keyof Effects & string]

type Counted<Effects> = `${'ok' | (keyof Effects & string)} x${number}`

/** A fault rule: at which seam something happens, what, for which calls, and how often. docs/faults.md describes every effect. */
export type FaultRuleInput = {
  [Seam in keyof FaultSettings]: RuleFields & { on: Seam } & (
      | { effect: Step<FaultSettings[Seam]>; sequence?: never }
      | {
          sequence: ('ok' | Step<FaultSettings[Seam]> | Counted<FaultSettings[Seam]>)[]
          effect?: never
        }
    )
}[keyof FaultSettings]
