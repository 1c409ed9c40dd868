// Made from the schemas of fault rules by scripts/reference/faults.ts; never edited by hand.
// `npm run docs:reference` writes it anew.

/** The settings of each effect, by seam. */
export interface FaultSettings {
  request: {
    /** The request waits `ms` milliseconds of the clock before anything is done. With a frozen clock, it waits until the clock is advanced. Removing the rule ends the wait. */
    latency: { ms: number }
    /** Nothing is done and no response comes until the client gives up. Removing the rule cuts the connection. */
    hang: Record<string, never>
    /** Returns the error `error` with its own status, and nothing is done. With `done`, the request is carried out first, as when a service breaks after its transaction has landed. A rule with a path, kind or method may only use errors that a matching route documents. */
    respond: { error: 'invalid_params' | 'plan_failed' | 'no_wallet' | 'missing_auth_header' | 'invalid_api_key' | 'api_key_revoked' | 'forbidden' | 'account_not_found' | 'plan_not_found' | 'not_found' | 'method_not_allowed' | 'timeout' | 'account_already_exists' | 'plan_stale' | 'conflict' | 'payload_too_large' | 'headers_too_large' | 'rate_limited' | 'swap_quote_failed' | 'world_lost' | 'no_room' | 'internal_error'; message?: string; done?: boolean }
    /** The connection is cut before the request is carried out. */
    reset_before: Record<string, never>
    /** The request is carried out, and the connection is cut without a response. */
    reset_after: Record<string, never>
    /** The request is carried out. The response head and the first half of its body arrive, then the connection is cut. */
    truncate: Record<string, never>
    /** 429 `rate_limited` with the header `retry-after: <seconds>`; nothing is done. */
    rate_limit: { retry_after?: number }
    /** For `ms` milliseconds from the first request that it meets, every request returns 503, and nothing is done. Real time counts, and time of the clock if that is ahead. Then it is over, and the rule stays listed. */
    outage: { ms: number }
    /** No response comes, as at `hang`; with `done`, the request is carried out first. `svc-sim swarm` and `svc-sim exec --scenario` then kill their command and run it again. */
    crash: { done?: boolean }
  }
  folio: {
    /** Computing a folio, for its own endpoint or for a plan, takes `ms` milliseconds of the clock longer. Removing the rule ends the wait. */
    latency: { ms: number }
    /** 408 `timeout` on the folio and on plan endpoints, after `seconds` of the clock or at once. `cached=true` still works. */
    timeout: { seconds?: number }
    /** The folio endpoint returns the account’s most recent folio even when a fresh one is requested. The first one is computed. */
    serve_stale: Record<string, never>
  }
  quote: {
    /** The aggregator closes the connection without a response: 422 `swap_quote_failed`. */
    unavailable: Record<string, never>
    /** The aggregator returns `status` (503 when absent): 422 `swap_quote_failed`. */
    http_error: { status?: number }
    /** The aggregator does not respond. After 5 seconds the service gives up: 422 `swap_quote_failed`. Removing the rule makes the aggregator close the connection. */
    timeout: Record<string, never>
    /** The aggregator returns only the first half of its JSON, as if it were complete: 422 `swap_quote_failed`. */
    malformed: Record<string, never>
    /** The aggregator returns a quote that expired a second ago: 422 `swap_quote_failed`. */
    expired: Record<string, never>
    /** From the first quote at which the rule fires until the rule is removed, the exchange of its network really settles `bps` basis points worse than quoted. Until that quote, earlier plans are executed as quoted. Up to 99 less arrives; if the bought amount is exact, up to 98 more is taken. Beyond that, new plans return 400 `plan_failed`, and earlier ones 409 `plan_stale`. */
    slippage: { bps: number }
    /** From the first quote at which the rule fires, the exchange really holds none of the bought asset on that network. Quotes return 422 `swap_quote_failed`, and earlier plans 409 `plan_stale`. Until that quote, earlier plans are executed as quoted. Removing the rule restores the holdings. */
    drain: Record<string, never>
  }
  plan: {
    /** Right after the plan is made, the world really changes, for good. `by: nonce` (default): its nonce is used up on chain. `by: price`: the asset that it buys costs a tenth more everywhere (kinds with quotes). `by: balance`: the wallet loses all of the asset that the plan spends (kinds that spend). Executing returns 409 `plan_stale`. */
    stale: { by?: 'nonce' | 'price' | 'balance' }
    /** The plan expires as soon as it is returned, although its `expires_at` is two minutes away: executing it returns 404 `plan_not_found`. */
    expire: Record<string, never>
    /** Planning returns 400 `plan_failed` with `reason` as its message. */
    fail: { reason?: string }
    /** Planning returns 400 `no_wallet`, whatever the account has. */
    no_wallet: Record<string, never>
  }
  execute: {
    /** One bit of the signature is changed in transit, and the wallet contract refuses it: 500 `internal_error`. Nothing is sent; the plan stays usable. A signature that the wallet refuses anyway is no hit. */
    reject_signature: Record<string, never>
    /** The transaction is sent and reverts on chain. `by: nonce` (default): its nonce was used up a moment before. `by: gas`: it runs out of gas. The activity fails with the decoded reason, and no funds move. */
    revert: { by?: 'nonce' | 'gas' }
    /** The transaction waits in the node’s pool, and the activity stays pending with its hash, until `seconds` have passed on the clock or the rule is removed. Then it is mined. After a restart of the simulator, the waiting transaction is sent again as usual. */
    stuck: { seconds?: number }
    /** The node accepts the transaction and drops it from its pool. The activity is pending with an unknown hash, and fails after `seconds` (30) of the clock; no funds move. If the rule is removed or the simulator restarted before that, the transaction is sent again as usual and mined. */
    dropped: { seconds?: number }
    /** The plan is executed, its immediate transactions land, and the connection is cut without a response. The activity exists and can be read. */
    response_lost: Record<string, never>
    /** The same signed operations are sent in two transactions. The second reverts on the nonce: money moves once, and the activity is confirmed once. */
    duplicate: Record<string, never>
  }
  bridge: {
    /** The fill comes `seconds` of the clock later, and the activity is pending meanwhile. If the deposit’s deadline (10 minutes after its plan was made) has passed by then, the deposit is refunded on its origin network instead, also after `seconds`, and the activity fails. The delays of several rules add up. */
    delay: { seconds: number }
    /** The deposit is never filled: it is debited on one network, nothing arrives on the other, and the activity is pending. After the deadline (10 minutes of the clock) it is refunded on its origin network and the activity fails. Removing the rule before that fills it. */
    stuck: Record<string, never>
    /** The deposit is not filled and is refunded on its origin network at once. The activity fails, and the full amount is returned. */
    refund: Record<string, never>
    /** Only `percent` of the output arrives (rounded down) and nothing is refunded. The operations that waited for it are sent and revert on chain, so the activity fails with that reason. The funds that arrived stay in the wallet on the target network. */
    partial: { percent?: number }
  }
  chain: {
    /** The nodes of the network (or of all) do not respond. Reads return 408 `timeout` after the read timeout, an execution returns 500 `internal_error`, `/rpc` returns an error after 35 s, and `/health/ready` returns 503. This lasts until the rule is removed, or for `ms`; then everything continues. Not on Windows. */
    down: { ms?: number }
    /** Each JSON-RPC request to the network (or any), by the service or through `/rpc`, takes `ms` milliseconds of real time longer. Beyond the read timeout, reads return 408 `timeout`. */
    slow: { ms: number }
    /** After the activity is confirmed, the last `depth` blocks of its network are replaced: 1 to 30, at least back to the plan’s transaction, at most to the last snapshot or native funds from the faucet. The transaction is dropped: the activity returns to pending, and is sent and confirmed again. With `keep`, the transaction is mined again in a block with another hash, and the activity stays confirmed. */
    reorg: { depth?: number; keep?: boolean }
    /** The network (or all) mines no blocks: transactions wait in the pool, activities stay pending, and reads still work. This lasts until the rule is removed, or for `ms`; then all waiting transactions are mined. */
    halt: { ms?: number }
  }
  events: {
    /** An event is delivered `seconds` of the clock after it happened. It keeps its timestamp and gets its cursor at delivery, so others may overtake it. Removing the rule delivers it. */
    delay: { seconds: number }
    /** An event is delivered twice in a row: two equal elements of `events`, the second under the next cursor. */
    duplicate: Record<string, never>
    /** An event is never delivered. The activity still changes, as `GET /activities/:id` shows. */
    drop: Record<string, never>
    /** An event is delivered right after the next one of the account: `confirmed` before `pending`. Cursors follow the order of delivery; timestamps show the true order. Removing the rule delivers an event that still waits for the next one. */
    reorder: Record<string, never>
  }
  answer: {
    /** Every object of the response, errors and messages of the folio stream included, has an extra field `added_later`, an object. Tables whose keys are data (assets, networks of an asset, sections of the folio) get no extra key. */
    unknown_fields: Record<string, never>
    /** Before an event of the account, another one of an undocumented type (`portfolio_revalued`) with other data is delivered. It has its own cursor, and all later reads include it. */
    unknown_events: Record<string, never>
    /** Before a message of the folio stream comes one with another name, `revision`, and other data. */
    unknown_messages: Record<string, never>
    /** Values that interface.md does not list are different: an activity under way is `settling`, its executions are `in_progress`, and all action types except COMET_SUPPLY, COMET_BORROW, MORPHO_BORROW and CLAIM_REWARDS end with `_V2`. `confirmed` and `failed` stay. */
    unknown_values: Record<string, never>
    /** The keys of every object are reversed, and so are lists whose order is not promised: networks, markets, accounts, activities, and the pairs of a folio stream message. A page of a list keeps its order, because the next page is requested by its last element. */
    other_order: Record<string, never>
    /** The `message` of an error is a different one, without fields or values; code and status stay. Other responses do not change. */
    other_texts: Record<string, never>
    /** Every ISO 8601 timestamp is the same instant in another form: with milliseconds (`2026-01-01T00:02:00.000Z`), or with an offset (`2026-01-01T02:02:00+02:00`). */
    other_times: { form?: 'milliseconds' | 'offset' }
    /** Accounts, plans, intents and activities that the request makes permanently get ids of another form: the known prefix, then 26 capital letters and digits. */
    other_ids: Record<string, never>
    /** Every address in the response, including the signer’s, is written with its checksum, in lower case or in upper case, however it was sent. */
    other_casing: { as?: 'checksum' | 'lower' | 'upper' }
    /** An event of the account gets a cursor far beyond the one before, up to `most` further. Later events continue from there, so a client can resume from every cursor that was ever returned. */
    sparse_cursors: { most?: number }
    /** The list of networks has two more, `linea` and `scroll`; plans on these return 400 `plan_failed`, because no account has anything there. */
    more_networks: Record<string, never>
    /** A plan has the fields of interface.md alone: no version, no steps, no domain separator, and four fields in each action context. Errors have no `message`, except at account creation, where it is shown. */
    absent_optionals: Record<string, never>
    /** The first `reads` responses that show an execution say `pending`, as if nothing of it were mined, however fast it was. Events and balances are as usual. */
    pending_first: { reads?: number }
    /** An unknown account returns another error on plan endpoints and execute: 403 `forbidden`, 400 `invalid_params` or 404 `not_found`. */
    unknown_account: { as?: 'forbidden' | 'invalid_params' | 'not_found' }
    /** The account is checked before the fields: a malformed request for an unknown account returns 404 `account_not_found`. */
    account_first: Record<string, never>
    /** A request with an unknown field in body or query returns 400 `invalid_params`; nothing is done. */
    strict_requests: Record<string, never>
    /** The zero address as signer returns 400 `invalid_params`; no account is created. */
    zero_signer_refused: Record<string, never>
    /** The word `max` as an amount returns 400 `invalid_params`; no plan is made. */
    max_refused: Record<string, never>
    /** A plan for an amount of zero returns 400 `plan_failed` instead of `invalid_params`. */
    zero_amount_fails: Record<string, never>
    /** A plan with an asset that the network does not have returns 400 `plan_failed` instead of `invalid_params`. */
    unknown_asset_fails: Record<string, never>
    /** Migrating a market to itself returns 400 `invalid_params` instead of `plan_failed`. */
    same_market_invalid: Record<string, never>
    /** A plan for an asset or pair without a market returns 400 `invalid_params` instead of `plan_failed`. */
    missing_market_invalid: Record<string, never>
    /** A successful execution returns 202 instead of 200. */
    execute_accepted: Record<string, never>
    /** Executing a plan again returns 409 `plan_stale`. Its money has already moved, so a client that plans again moves it twice. */
    consumed_plan_stale: Record<string, never>
    /** A plan whose execution fails with 500 `internal_error`, because of its signature or anything else, is used up: executing it again returns 404 `plan_not_found`. */
    failure_uses_plan_up: Record<string, never>
    /** A stale plan with a wrong signature returns 500 `internal_error` instead of 409 `plan_stale`. */
    signature_first: Record<string, never>
    /** The `id` of an activity is its `act_` text instead of an integer. */
    activity_id_text: Record<string, never>
    /** An unknown activity returns 404 `activity_not_found` instead of `not_found`. */
    activity_not_found: Record<string, never>
    /** An activity lists the fill of a bridge (`BRIDGE_MINT`) only once it has arrived, not from the deposit on. */
    fills_listed_late: Record<string, never>
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
