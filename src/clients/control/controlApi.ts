// Written by tools/openapi-types from openapi/control.json (sha256 0159a2538896e9312dba1ca5faf0dc17fb5c15a750460f507461c07d5326b01b): not to be edited.

export interface paths {
    "/_sim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Index of the control API
         * @description Identifies the simulator, with links to its document and pages.
         */
        get: operations["getIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Connect a client
         * @description URLs, API key, chain ids, actors, contracts, and snippets to paste. The URLs begin with `--advertise`; without it, they use the host of the request and the scheme in `X-Forwarded-Proto`, so they work for the caller. `svc-sim env` prints the same for a shell.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the overview
         * @description Returns the clock, networks, open plans, bridges, accounts by value, faults, snapshots, prices and API keys in one response, even when nodes are down. The dashboard loads it first, then follows `GET /_sim/stream`. For a leased world, use `/_sim/worlds/ID/overview`.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find sub-accounts
         * @description Lists the sub-accounts of all prime accounts, oldest first by default. For the next page, pass the last `account_id` as `after`.
         */
        get: operations["listAllAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Inspect a sub-account
         * @description Returns the folio, activities and events of a sub-account of any prime account. Read-only: faults ignore it and the journal omits it.
         */
        get: operations["inspectAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give funds
         * @description Adds to the balance of a sub-account’s wallet or of any address, on one network.
         */
        post: operations["fundWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant rewards
         * @description Grants unearned rewards of Morpho vaults to a sub-account’s wallet or any address. The next root includes them, with a proof, so they can be claimed at once. The distributor receives the funds.
         */
        post: operations["grantRewards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the snapshots
         * @description Lists the snapshots that can be restored, oldest first.
         */
        get: operations["listSnapshots"];
        put?: never;
        /**
         * Take a snapshot
         * @description Saves everything: accounts, plans, activities, events, the five chains, the clock, and fault rules with their counters. Waits for requests under way. Executions and bridge fills pause, then resume. The body may be omitted.
         */
        post: operations["takeSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/snapshots/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a snapshot
         * @description Restores everything, including the time of the clock, to the moment of the snapshot. Takes its id or name. Work that was under way then resumes. The snapshot can be restored again; later snapshots are removed. New requests wait meanwhile. Waiting long polls return without events, and folio streams continue with the differences.
         */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/snapshots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a snapshot
         * @description Deletes a snapshot by id or name. The nodes keep its memory until an earlier snapshot is restored.
         */
        delete: operations["deleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset to the start
         * @description Resets everything to the state right after the start, including the world of the scenario that it was started with. All snapshots are removed. A clock that was started as `real` shows the machine’s time again.
         */
        post: operations["resetSimulator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the clock
         * @description The API and all chains share this clock.
         */
        get: operations["getClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock
         * @description Advances from one due moment to the next. Returns when everything due has happened: plans have expired, interest has accrued, bridges have delivered, events are out, and long polls have returned.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/clock/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze the clock
         * @description Freezes the clock now or at an instant. All blocks mined from then on have the same timestamp.
         */
        post: operations["freezeClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/clock/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume the clock
         * @description Resumes the clock from its current time. A running clock is not changed.
         */
        post: operations["resumeClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/clock/auto": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the clock skip waiting times
         * @description From now on the clock is frozen while anything is computed. Once everything waits, it jumps to the next awaited moment: a bridge fill or refund, a delayed event, or the end of a latency fault or long poll. The expiry of a plan does not count. The first read after an execution shows what is true then; later requests wait until nothing more is due. The call itself skips everything that is due, even if plans expire.
         */
        post: operations["skipClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/clock/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wait by the clock
         * @description Returns when this much time has passed on the clock. Use it for the pauses of a client, so that an `auto` clock skips them. On a frozen clock it returns when the clock has been moved that far. It returns early when the state is reset or restored, or when the simulator stops.
         */
        post: operations["waitForClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fault rules
         * @description Lists the rules in the order in which they apply, with how often each matched and fired.
         */
        get: operations["listFaults"];
        /**
         * Replace all fault rules
         * @description Replaces all rules with those of the body, in their order: all or nothing. The old rules are removed as with DELETE.
         */
        put: operations["replaceFaults"];
        /**
         * Add a fault rule
         * @description Adds a rule that makes something fail on purpose. `on` names the seam, `effect` what happens there, and `match` selects the calls. `after` is how many of them pass first, and `times` how often the rule then fires. It applies after the existing rules. docs/faults.md lists seams and effects.
         */
        post: operations["addFault"];
        /**
         * Remove all fault rules
         * @description Everything they hold continues, and their changes to the chains are undone.
         */
        delete: operations["removeFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/faults/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a fault rule
         * @description Everything it holds continues, and its changes to the chains are undone.
         */
        delete: operations["removeFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/effects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the seams and effects
         * @description Every seam and effect that a fault rule can name, with the JSON schema of its settings. docs/faults.md is generated from the same data.
         */
        get: operations["listEffects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the prices
         * @description The price of every asset in USD per whole token; the same on all networks.
         */
        get: operations["listPrices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/prices/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Move a price
         * @description Sets a new price. Feeds, Aave and Morpho oracles, aggregator quotes and Uniswap pools move together, on all networks. Assets that are a claim on this one (ETH and WETH) move with it. Returns when everything has moved. Positions that become unsafe stay until they are liquidated.
         */
        put: operations["setPrice"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/liquidations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Liquidate unsafe positions
         * @description A bot account liquidates the unsafe positions of a sub-account’s wallet or of any address, on one network or on all. Comet absorbs the position; on Morpho Blue the bot repays the debt for collateral. Safe positions stay. The sub-account gets an activity of type `exogenous` with its event.
         */
        post: operations["liquidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/events/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description Delivers an unchanged event again under the next cursor, to waiting long polls and to later reads. A client that expects at-least-once delivery must not act on it twice. This also delivers an event that a fault has dropped. Nothing else changes, and a restart forgets it.
         */
        post: operations["repeatEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/journal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recent requests and responses
         * @description Returns the latest exchanges of the service and the control API, and writes over `/rpc`, oldest first. Each includes its effects, even those after its response. `marks` shows where the simulator was reset or restored, and `undone` names the one that has undone an exchange; it is absent in reads and in the stream. The journal is limited in number and bytes, and drops plain reads first. Secrets are masked.
         */
        get: operations["listExchanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/journal/scenario": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Save the journal as a test
         * @description Returns a scenario file and a vitest file that plays it. The scenario repeats the journal since the last reset with new accounts, and expects the same statuses and errors. It begins in an empty world, without anything done before the saved part. Gaps of real time between requests are repeated when longer than ten seconds. Fault rules are kept when they hit a saved request. A filter keeps, besides its exchanges, the accounts, funds, plans, executions and moves of time that they depend on. Exchanges that a restore has undone belong to another run; one run is saved at a time.
         */
        get: operations["exportScenario"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/journal/fork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay the journal with a change
         * @description Leases a world and repeats there the journal since the last reset, up to before an exchange. Then makes a change and continues with the rest, whatever the outcome. This world is not touched. The new world keeps its final state for half an hour or until it is released, so that its timelines can be compared with the original ones.
         */
        post: operations["forkJournal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/why/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain what happened
         * @description Returns one timeline for an account, plan, activity (`act_` id or number), intent, request, transaction hash or fault rule, and in `now` what became of it. The timeline has the requests and responses, the plan’s decoded operations, signatures, transactions with decoded logs and revert reasons, bridge fills, events, and the faults that fired.
         */
        get: operations["explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/blocks/{network}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the blocks of a network
         * @description Returns the latest blocks, newest first, with their transactions: sender, receiver, nonce, fee, the decoded call, and the request, plan and activity that sent it. In a trace: the blocks of the transactions that it holds.
         */
        get: operations["listBlocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/transactions/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Inspect a transaction
         * @description Returns a mined transaction of any network: its calls and logs decoded, the balances that it changed, its gas, and why it reverted.
         */
        get: operations["inspectTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events live
         * @description Sends server-sent events as they happen. Types: exchange, event, block, clock, fault, snapshot, scenario, world. The data is JSON. `exchange`: an exchange as in `GET /_sim/journal`, after its response. `event`: an event of any account, with `account_id` and `cursor`. `block`: `{network, number, hash, parent_hash, time, transactions}` (a repeated number means that this block and the later ones were replaced). `clock`: `{now, unix_ms, mode}`, after each move. `fault`: `{change: added|removed|fired|ended, fault, request_id}`. `snapshot`: `{change: taken|restored|deleted|reset, snapshot, request_id}`. `scenario`: `{name, run, state: running|passed|failed, where, message, steps}`, when a part of a scenario begins or ends. `world`: `{change: leased|renewed|ended|lost|failed|passed, world: {id, lease_until}, reason}`, on the default world only. With the header `Last-Event-ID`, the stream resumes after that entry. The response has this header too, so that a client can resume a stream that broke before its first event. The part before the hyphen changes with each start of the simulator. The simulator keeps the last 2,000 entries. A client that is slower, or returns later, first gets `dropped` with `{count}`. Secrets are masked.
         */
        get: operations["followSimulator"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the coverage of documented responses
         * @description Lists every documented (endpoint, status, code) of the service, and how often it was returned since the start. A response counts whatever caused it, including a fault rule. Cut responses, those to HEAD requests and to clicks in the dashboard do not count. Each world counts its own responses from the start of its lease; with `worlds`, the simulator adds those of all worlds that were leased from it, also after they were released. A reset or restore does not clear the counts, and a data folder does not persist them.
         */
        get: operations["getCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scenarios
         * @description Lists the shipped scenarios and those in the `--scenarios` folder, by name. One of your own replaces a shipped one with the same name.
         */
        get: operations["listScenarios"];
        put?: never;
        /**
         * Play a scenario of your own
         * @description Plays the text of a scenario file, YAML or JSON, in the same way as `/_sim/scenarios/{name}/run`. The run takes its name from the text.
         */
        post: operations["runScenarioText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/scenarios/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a scenario
         * @description Returns the description and the file of a scenario.
         */
        get: operations["getScenario"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/scenarios/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play a scenario
         * @description Plays the scenario in this world, as any client could. First takes a snapshot and sets fault rules aside; at the end, everything is restored. This also undoes what others do meanwhile. In a leased world (`/_sim/worlds/ID/scenarios/NAME/run`) it disturbs nobody. Responds at the end; meanwhile, `scenario` messages of the stream report each part as it begins. The journal keeps the requests and responses.
         */
        post: operations["runScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether this is a trace
         * @description Returns null for a running simulator. `svc-sim ui FILE` serves a file that `--trace FILE` has written. There, every change returns `conflict`, and `/_sim/worlds/ID/...` serves what leased worlds did.
         */
        get: operations["getTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics for Prometheus
         * @description Returns metrics in the Prometheus text format: requests, times of plans and executions, work under way, nodes, memory, faults and records. Counters count from the start of the process; a reset or restore does not lower them. Responds within about two seconds even when nodes do not, and then reports which. docs/metrics.md lists all metrics.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/worlds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the worlds
         * @description Lists the leased worlds, oldest lease first, with what failed in them, the number of other worlds, how many have ended with failed tests, and what was recorded of the last of those. Their keys are not shown.
         */
        get: operations["listWorlds"];
        put?: never;
        /**
         * Lease a world
         * @description Leases a separate simulator behind the same port: five chains, clock, prices, faults, accounts, journal and snapshots, in memory. Its key selects it for the service API, and as bearer token for `/_sim` and `/rpc`. The paths `/_sim/worlds/ID/...` and `/worlds/ID/rpc/NETWORK` select it too. No other client gets it until the lease is released or expires. All fields may be omitted, and the body too. When the limit of worlds is reached, the request waits for one; with `?wait=0` or the header `Prefer: wait=0`, it gets 503 `no_room` with `retry-after` at once, so that a load balancer can try the next simulator.
         */
        post: operations["leaseWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/worlds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Inspect a world
         * @description Returns the end of its lease, or why it was lost.
         */
        get: operations["getWorld"];
        put?: never;
        post?: never;
        /**
         * Release a world
         * @description Ends the lease at once: its key and id become unknown, and requests under way may be cut off. The content of the world is lost.
         */
        delete: operations["releaseWorld"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/worlds/{id}/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a failed test
         * @description Tells which test failed in this world, so that the list of worlds and a trace show it first. With `since`, a trace (`--trace FILE`) has an entry for this test alone, with accounts, activities and balances as they are now: restore the world after the response. With `passed`, it tells that the test has passed, and with `passed_on_retry`, that it has passed when it was retried. The vitest fixtures do all this. Tests that share the default world are reported under the id `default`.
         */
        post: operations["reportFailedTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/worlds/{id}/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew a lease
         * @description Extends the lease to `lease_seconds` from now.
         */
        post: operations["renewWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sim/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The OpenAPI document of the control API
         * @description This document.
         */
        get: operations["getControlOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountOfAny: {
            account_id: string;
            /** @enum {string} */
            signer_type: "eoa";
            /** @description As the client sent it. */
            signer_address: `0x${string}`;
            /** @description The same on every network; deterministic from the signer. Lower case. */
            svc_wallet_address: `0x${string}`;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description As in `GET /prime_account`. */
            prime_account_id: string;
        };
        AccountView: {
            account: components["schemas"]["AccountOfAny"];
            /** @description A key that gives access to it; null when all are revoked. */
            api_key: string | null;
            /** @description From the networks that respond, regardless of faults; null when none does. */
            folio: {
                /** @description `token/{net}/{symbol}/{wallet}`, `yield_market/...`, `borrow_market/...`, `borrow_market_collateral/...`, `reward/...` and `locked_reward/...`. A missing key means zero. */
                balances: {
                    [key: string]: string;
                };
                /** @description `token/{symbol}` */
                prices: {
                    [key: string]: string;
                };
                /** @description `{comet, aave or morpho_vault}/{net}/{address}/{symbol}` */
                yield_markets: {
                    [key: string]: components["schemas"]["FolioYieldMarket"];
                };
                /** @description `{comet or aave}/{net}/{address}/{symbol}` or `morpho/{net}/{collateral}/{loan}` */
                borrow_markets: {
                    [key: string]: components["schemas"]["FolioBorrowMarket"];
                };
                /** @description `comet_reward/{net}/{comet}/{symbol}/{contract}/{wallet}` or `morpho_reward/{net}/{symbol}/{distributor}/{wallet}` */
                rewards: {
                    [key: string]: components["schemas"]["FolioReward"];
                };
                /** @description `wrapper/{net}/{symbol}/{net}/{wrapped symbol}` */
                swap_hints: {
                    [key: string]: components["schemas"]["FolioSwapHint"];
                };
                /** @description `across/{source net}/{symbol}/{destination net}/{symbol}` */
                bridge_hints: {
                    [key: string]: components["schemas"]["FolioBridgeHint"];
                };
                /** @description `nonce_secret/{net}/{wallet}`: the next nonce of the wallet there */
                hex_data: {
                    [key: string]: `0x${string}`;
                };
                /** @description `svc_nonce/{wallet}/{nonce}` or `across_fill/{wallet}/{relay hash}`: whether it is complete */
                completion_statuses: {
                    [key: string]: boolean;
                };
                /** @description Per key of a completion status: the balance changes still to come, until it turns true */
                patches: {
                    [key: string]: components["schemas"]["FolioPatch"][];
                };
            } | null;
            /** @description Networks that do not respond within 2 s; the folio omits them. */
            missing: {
                network: string;
                problem: string;
            }[];
            /** @description What the sub-account was worth over service time, oldest first: at each read of its whole folio and, while a dashboard is open or a trace is kept, after each of its events. At most 400 points. */
            values: {
                /** Format: int64 */
                unix_ms: number;
                /** @description Plain decimal with at most 8 places. */
                usd: string;
            }[];
            /** @description Newest first, abridged. */
            activities: {
                activity_id: string;
                plan_id: string | null;
                /** @enum {string} */
                activity_type: "svc_operation_executed" | "exogenous";
                /** @enum {string} */
                activity_status: "pending" | "confirmed" | "failed";
                occurred_at: string;
                updated_at: string;
                items: {
                    action_type: string;
                    network: string;
                    /** @description As in the activity; of what is done, with the amounts that really moved. */
                    action_context: {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    state: "pending" | "done" | "arrived in part" | "failed" | "not run";
                }[];
            }[];
            /** @description Newest first. */
            events: {
                /** Format: int64 */
                cursor: number;
                activity_id: string;
                /** @enum {string} */
                activity_status: "pending" | "confirmed" | "failed";
                /** Format: int64 */
                timestamp: number;
            }[];
        };
        Advance: {
            /** @description Seconds to advance; 0 only waits for work under way. At most a hundred years. */
            seconds: number;
        };
        Blocks: {
            /** @enum {string} */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            blocks: {
                /** Format: int64 */
                number: number;
                /** @description Null in a trace. */
                hash: string | null;
                at: string;
                transactions: {
                    hash: string;
                    /** @enum {string} */
                    status: "mined" | "reverted";
                    /** @description An address; null in older traces. */
                    from: string | null;
                    /** @description An address; null for a new contract. */
                    to: string | null;
                    /** @description Account id, contract, part of the simulator, or the address. */
                    from_name: string | null;
                    /** @description As `from_name`. */
                    to_name: string | null;
                    /** Format: int64 */
                    nonce: number | null;
                    value: string | null;
                    /** @description For gas, in the network’s native token. */
                    fee: string | null;
                    gas_used: string;
                    /** @description Its name, or its selector; null for a plain transfer. */
                    function: string | null;
                    /** @description By parameter name. */
                    args: {
                        [key: string]: unknown;
                    };
                    /** @description The request on whose behalf it was sent, as long as the journal has it. */
                    request_id: string | null;
                    plan_id: string | null;
                    activity_id: string | null;
                }[];
            }[];
        };
        Cell: {
            endpoint: string;
            method: string;
            path: string;
            status: number;
            code: string | null;
            /** @enum {string} */
            source: "interface" | "extension";
            /** Format: int64 */
            hits: number;
        };
        Clock: {
            /** Format: date-time */
            now: string;
            /**
             * Format: int64
             * @description The same in milliseconds since the Unix epoch.
             */
            unix_ms: number;
            /** @enum {string} */
            mode: "real" | "frozen" | "auto";
        };
        ClockWait: {
            /** @description Seconds of the clock to wait for. At most a hundred years. */
            seconds: number;
        };
        Connect: {
            /** @description Base URL of the service API. */
            url: string;
            apiKey: string;
            /** @description Base URL of the control API of this world. */
            controlUrl: string;
            docsUrl: string;
            /** @description The dashboard; null with `--no-ui`. */
            ui: string | null;
            /** @description JSON-RPC by network: HTTP, and WebSocket at the same path. */
            rpc: {
                mainnet?: string;
                base?: string;
                arbitrum?: string;
                optimism?: string;
                polygon?: string;
            };
            chainIds: {
                /** Format: int64 */
                mainnet?: number;
                /** Format: int64 */
                base?: number;
                /** Format: int64 */
                arbitrum?: number;
                /** Format: int64 */
                optimism?: number;
                /** Format: int64 */
                polygon?: number;
            };
            /** @description Accounts with 10,000 native tokens on every offline network. Their keys are public: never send them anything of value. */
            actors: {
                address: string;
                privateKey: string;
            }[];
            /** @description Contracts of the simulator by name, at the same address on every network. Scripts begin with `script `. */
            contracts: {
                [key: string]: string;
            };
            /** @description Code to paste: `curl`, `viem`, `ethers`, `python`, `dotenv`, `wallet`. */
            snippets: {
                [key: string]: string;
            };
        };
        ControlIndex: {
            /** @enum {string} */
            name: "svc-sim";
            /** @description The version of the package. */
            version: string;
            /**
             * Format: int64
             * @description Its process id.
             */
            process: number;
            /** @description The folder in which it was started. */
            startedIn: string;
            /** @description Its data folder; null when its state is in memory. */
            dataDir: string | null;
            /** @description The OpenAPI document of the control API. */
            document: string;
            /** @description Pages for a browser: the dashboard, the documentation, and both APIs to try out. */
            pages: {
                dashboard: string | null;
                documentation: string;
                service: string;
                control: string;
            };
            connect: string;
            overview: string;
        };
        Coverage: {
            /** Format: int64 */
            met: number;
            /** Format: int64 */
            documented: number;
            cells: components["schemas"]["Cell"][];
        };
        Effect: {
            /** @description The seam: the value of `on` in a rule. */
            on: string;
            effect: string;
            /** @description What happens. */
            summary: string;
            /** @description Set when the rule itself returns the error, without a cause in the world: why, or what would cause it. Null when something causes the error. */
            synthetic: string | null;
            /** @description The fields of `match` that select its calls. */
            matches: string[];
            /** @description True when it applies until it is removed: `after`, `times` and `probability` do not apply. */
            lasts: boolean;
            /** @description The JSON schema of its settings: an object. */
            settings: {
                [key: string]: unknown;
            };
        };
        Effects: {
            effects: components["schemas"]["Effect"][];
        };
        /** @description One effect: `{name: settings}`. */
        EffectWithSettings: {
            [key: string]: unknown;
        };
        /** @description What was recorded of a world. Its content is gone, so its id leads nowhere. */
        EndedWorld: {
            id: string;
            /** @description As the lease gave it. */
            name: string | null;
            /** @description The tests that failed in it, as reported with `POST /_sim/worlds/{id}/failures`. */
            failed_tests: string[];
            /** @description The tests that failed in it first, and passed when they were retried. */
            flaky_tests: string[];
            /** @description The tests that passed in it at once, as reported. The vitest fixtures report only the test of a fresh world. */
            passed_tests: string[];
            /** @description The error of the test that failed last, if it was reported. */
            failure: string | null;
            /** @description The last error of each test that failed in it, by its name, where it was reported. */
            failures: {
                [key: string]: string;
            };
            /** @description In a trace, of the entry of one test: the world in which the test ran, or `default`, the default world. Otherwise null. */
            test_of: string | null;
            /** @description ISO 8601, by the machine’s clock. Null of the default world and its tests, which have no lease, and in a trace without the lease of this world: which tests failed in it is unknown then. */
            leased_at: string | null;
            /**
             * @description `ended`: in a trace, and after its lease.
             * @enum {string}
             */
            state: "leased" | "lost" | "ended";
            /** @description Why it is lost. */
            lost: string | null;
            /** Format: int64 */
            lease_seconds: number;
            /** @description ISO 8601, by the machine’s clock. In a trace, when the lease would have expired; without the lease, the end of the run. */
            lease_until: string;
            /** @description ISO 8601, by the machine’s clock. */
            ended_at: string;
            /** @description The last five failed activities and refused requests of its failed tests, oldest first, each with `now` of `GET /_sim/why/{id}` as it was when the test was reported. */
            verdicts: {
                test: string;
                id: string;
                now: string;
            }[];
        };
        Error: {
            /** @description The code: what kind of error it is. There may be further codes. */
            error: string;
            /** @description What was wrong, as readable text. */
            message: string;
        };
        Event: {
            /** @enum {string} */
            event_type: "activity_updated";
            data: {
                activity_id: string;
                /**
                 * @description `svc_operation_executed`: an executed plan; `exogenous`: an event from outside.
                 * @enum {string}
                 */
                activity_type: "svc_operation_executed" | "exogenous";
                /** @enum {string} */
                activity_status: "pending" | "confirmed" | "failed";
            };
            /**
             * Format: int64
             * @description Unix seconds.
             */
            timestamp: number;
        };
        EventAgain: {
            /** @description Whose event it is. */
            account_id: string;
            /**
             * Format: int64
             * @description Cursor of the event, from `event` of `GET /_sim/stream` or the notes of `GET /_sim/journal`.
             */
            cursor: number;
        };
        Exchange: {
            /** Format: int64 */
            cursor: number;
            at: string;
            /**
             * Format: int64
             * @description Arrival time by the machine’s clock, even when the service clock is frozen. Only with `durations=true`.
             */
            received_ms?: number;
            request_id: string;
            method: string;
            url: string;
            headers: {
                [key: string]: string;
            };
            body?: unknown;
            notes: ({
                at: string;
                type: string;
            } & {
                [key: string]: unknown;
            })[];
            answer: {
                at: string;
                status: number;
                headers: {
                    [key: string]: string;
                };
                body?: unknown;
                /** Format: int64 */
                bytes: number;
                cut: boolean;
                /** @description Duration by the machine’s clock, even when the service clock is frozen. Only with `durations=true`, because it differs on every run. */
                took_ms?: number;
            } | null;
            undone?: components["schemas"]["Mark"];
        };
        FailedTest: {
            /** @description Its name. */
            test: string;
            /** @description Why it failed. */
            error?: string;
            /**
             * Format: int64
             * @description Cursor of the journal at which the test began. The trace of the run then keeps what the test did, even if the world is restored afterwards.
             */
            since?: number;
            /** @description True when the test has passed at once: it is listed in `passed_tests`. */
            passed?: boolean;
            /** @description True when the test, reported as failed before, has passed when it was retried: it moves from `failed_tests` to `flaky_tests`. Name the world of the try that failed; its lease may have ended. */
            passed_on_retry?: boolean;
        };
        Fault: {
            id: string;
            on: string;
            effect?: string | components["schemas"]["EffectWithSettings"];
            sequence?: (string | components["schemas"]["EffectWithSettings"])[];
            /**
             * Format: int64
             * @description Of a `sequence`: how many of its steps are used up. A call that fails before its step comes about leaves the step to the next call.
             */
            used?: number;
            match: {
                [key: string]: string;
            };
            /** Format: int64 */
            after: number;
            /** Format: int64 */
            times?: number;
            probability?: number;
            /**
             * Format: int64
             * @description Calls that matched.
             */
            seen: number;
            /**
             * Format: int64
             * @description Calls on which it fired. A rule of the seam `answer` fires when it changes the response.
             */
            hits: number;
            /**
             * Format: int64
             * @description Of `hits`, those before this start of the simulator, restored from its data folder: the journal does not have their requests. Absent for none.
             */
            earlier_hits?: number;
            /** @description When it ends by itself, by the machine’s clock (ISO 8601). Absent for rules that last until they are removed, and before the first request of `request.outage`, which ends earlier if the simulator’s clock is advanced. */
            ends?: string;
            /**
             * @description It has ended by itself: it holds nothing, and stays listed.
             * @enum {boolean}
             */
            over?: true;
        };
        FaultRule: {
            /** @description Id to remove the rule by; generated when absent. */
            id?: string;
            /**
             * @description The seam where it applies.
             * @example quote
             */
            on: string;
            /** @description Which calls it applies to; all conditions must match. */
            match?: {
                account_id?: string;
                kind?: string;
                /** @enum {string} */
                network?: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
                asset?: string;
                /** @description `*` matches anything. */
                path?: string;
                method?: string;
            };
            /** @description A name, or `{name: settings}`. */
            effect?: string | components["schemas"]["EffectWithSettings"];
            /**
             * @description Instead of `effect`: what happens at each matching call in turn.
             * @example [
             *       "ok",
             *       "unavailable x2",
             *       "ok"
             *     ]
             */
            sequence?: (string | components["schemas"]["EffectWithSettings"])[];
            /**
             * @description Matching calls that pass first.
             * @default 0
             */
            after?: number;
            /** @description How often it fires. */
            times?: number;
            /** @description Chance that it fires, drawn from the run’s seed. */
            probability?: number;
        };
        Faults: {
            faults: components["schemas"]["Fault"][];
        };
        /** @description A market to borrow from, with its collaterals. */
        FolioBorrowMarket: {
            /** @description A plain fraction: `0.025` is 2.5 %. */
            borrow_apr: string;
            /** @description A plain fraction: `0.025` is 2.5 %. */
            borrow_rewards_apr: string;
            /** @description Null when there is no cap. */
            borrow_cap: string | null;
            /** @description Whole units and the asset’s decimals: `1.5e6` is 1500000 in the smallest unit. */
            total_borrow: string;
            /** @description Whole units and the asset’s decimals: `1.5e6` is 1500000 in the smallest unit. */
            base_borrow_min: string;
            /** @description By asset symbol. */
            collaterals: {
                [key: string]: components["schemas"]["FolioCollateral"];
            };
        };
        /** @description Output = input x rate - fixed cost. */
        FolioBridgeHint: {
            estimated_fill_time_sec: number;
            /** @description Whole units and the asset’s decimals: `1.5e6` is 1500000 in the smallest unit. */
            fixed_cost: string;
            /** @description Whole units and the asset’s decimals: `1.5e6` is 1500000 in the smallest unit. */
            max_amount: string;
            /** @description Whole units and the asset’s decimals: `1.5e6` is 1500000 in the smallest unit. */
            max_amount_instant: string;
            /** @description Whole units and the asset’s decimals: `1.5e6` is 1500000 in the smallest unit. */
            min_amount: string;
            /** @description A plain fraction: `0.025` is 2.5 %. */
            rate: string;
        };
        FolioCollateral: {
            /** @description A plain fraction: `0.025` is 2.5 %. */
            borrow_collateral_factor: string;
            /** @description A plain fraction: `0.025` is 2.5 %. */
            liquidate_collateral_factor: string;
            /** @description A plain fraction: `0.025` is 2.5 %. */
            liquidation_factor: string;
            /** @description Null when there is no cap. */
            supply_cap: string | null;
            /** @description Null where the protocol keeps no total. */
            total_supply: string | null;
            /** @description Null when the price feed does not respond. */
            usd_price: string | null;
        };
        /** @description A pending change to a balance. */
        FolioPatch: {
            /** @description The key in `balances` that will change. */
            target: string;
            /** @description The amount to add; negative to subtract. */
            delta: string;
            operation_id?: string;
            metadata?: {
                operation_type: string;
                /** Format: int64 */
                estimated_eta: number;
            };
        };
        /** @description What is needed to claim a reward. */
        FolioReward: {
            proof: components["schemas"]["RewardProof"];
        };
        FolioSwapHint: {
            /** @description A plain fraction: `0.025` is 2.5 %. */
            exchange_rate: string;
            /** @description Whole units and the asset’s decimals: `1.5e6` is 1500000 in the smallest unit. */
            min_amount: string;
            /** @description Null when there is no limit. */
            max_amount: string | null;
        };
        /** @description A market that pays yield on supplied assets. */
        FolioYieldMarket: {
            /** @description A plain fraction: `0.025` is 2.5 %. */
            supply_apr: string;
            /** @description A plain fraction: `0.025` is 2.5 %. */
            supply_rewards_apr: string;
            /** @description Null when there is no cap. */
            supply_cap: string | null;
            /** @description Whole units and the asset’s decimals: `1.5e6` is 1500000 in the smallest unit. */
            total_supply: string;
        };
        ForkedWorld: {
            id: string;
            /** @description As the lease gave it. */
            name: string | null;
            /** @description The tests that failed in it, as reported with `POST /_sim/worlds/{id}/failures`. */
            failed_tests: string[];
            /** @description The tests that failed in it first, and passed when they were retried. */
            flaky_tests: string[];
            /** @description The tests that passed in it at once, as reported. The vitest fixtures report only the test of a fresh world. */
            passed_tests: string[];
            /** @description The error of the test that failed last, if it was reported. */
            failure: string | null;
            /** @description The last error of each test that failed in it, by its name, where it was reported. */
            failures: {
                [key: string]: string;
            };
            /** @description In a trace, of the entry of one test: the world in which the test ran, or `default`, the default world. Otherwise null. */
            test_of: string | null;
            /** @description ISO 8601, by the machine’s clock. Null of the default world and its tests, which have no lease, and in a trace without the lease of this world: which tests failed in it is unknown then. */
            leased_at: string | null;
            /**
             * @description `ended`: in a trace, and after its lease.
             * @enum {string}
             */
            state: "leased" | "lost" | "ended";
            /** @description Why it is lost. */
            lost: string | null;
            url: string;
            controlUrl: string;
            /** @description JSON-RPC by network. */
            rpc: {
                [key: string]: string;
            };
            /** Format: int64 */
            lease_seconds: number;
            /** @description ISO 8601, by the machine’s clock. In a trace, when the lease would have expired; without the lease, the end of the run. */
            lease_until: string;
            apiKey: string;
        };
        Freeze: {
            /**
             * Format: date-time
             * @description The instant to stop at; now when absent. Not before the latest block.
             */
            at?: string;
        };
        /** @description Exactly one of `account_id` and `address` must be given. */
        Fund: {
            /** @description Funds the wallet of this sub-account. */
            account_id?: string;
            /**
             * @description Funds this address.
             * @example 0x1111111111111111111111111111111111111111
             */
            address?: string;
            /**
             * @description Asset to give; the native token too.
             * @example USDC
             */
            asset: string;
            /**
             * @description Amount to add, in the asset’s smallest unit: a decimal string, as in every other route. A JSON integer up to 2^53-1 is accepted too; larger numbers are refused, because JSON numbers are not exact there.
             * @example 1000000
             */
            amount: string | number;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
        };
        Funded: {
            address: string;
            asset: string;
            /** @enum {string} */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            balance: string;
        };
        Journal: {
            exchanges: components["schemas"]["Exchange"][];
            /** @description Restores and resets among these exchanges, by their cursors. */
            marks: components["schemas"]["Mark"][];
            /**
             * Format: int64
             * @description Cursor of the last exchange or mark; pass it as the next `since`.
             */
            cursor: number;
            /**
             * Format: int64
             * @description Number of exchanges dropped so far.
             */
            dropped: number;
        };
        JournalFork: {
            world: components["schemas"]["ForkedWorld"];
            /** @description Ids and addresses of the journal, with their counterparts in the new world; missing ones are omitted. */
            twins: {
                [key: string]: string;
            };
            /** @description The change, and everything after it. */
            steps: components["schemas"]["TwinStep"][];
            /** @description Exchanges that could not be repeated, and why. */
            left_out: string[];
        };
        JournalForkRequest: {
            /**
             * Format: int64
             * @description Everything before this exchange is repeated; then the change is made.
             */
            before: number;
            /** @description Steps of a scenario: `{"advance": 3600}`, `{"price": {"ETH": "2000"}}`, `{"fault": {...}}`, `{"heal": true}`. Ids of the journal are replaced by those of the new world. */
            change?: {
                [key: string]: unknown;
            }[];
        };
        /** @description Exactly one of `account_id` and `address` must be given. */
        Liquidate: {
            /** @description Liquidates the wallet of this sub-account. */
            account_id?: string;
            /**
             * @description Liquidates this address.
             * @example 0x1111111111111111111111111111111111111111
             */
            address?: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network?: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
        };
        Liquidations: {
            liquidations: {
                /** @enum {string} */
                network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
                /** @enum {string} */
                protocol: "compound" | "morpho";
                market: string;
                transaction_hash: string;
            }[];
        };
        ListedWorld: {
            id: string;
            /** @description As the lease gave it. */
            name: string | null;
            /** @description The tests that failed in it, as reported with `POST /_sim/worlds/{id}/failures`. */
            failed_tests: string[];
            /** @description The tests that failed in it first, and passed when they were retried. */
            flaky_tests: string[];
            /** @description The tests that passed in it at once, as reported. The vitest fixtures report only the test of a fresh world. */
            passed_tests: string[];
            /** @description The error of the test that failed last, if it was reported. */
            failure: string | null;
            /** @description The last error of each test that failed in it, by its name, where it was reported. */
            failures: {
                [key: string]: string;
            };
            /** @description In a trace, of the entry of one test: the world in which the test ran, or `default`, the default world. Otherwise null. */
            test_of: string | null;
            /** @description ISO 8601, by the machine’s clock. Null of the default world and its tests, which have no lease, and in a trace without the lease of this world: which tests failed in it is unknown then. */
            leased_at: string | null;
            /**
             * @description `ended`: in a trace, and after its lease.
             * @enum {string}
             */
            state: "leased" | "lost" | "ended";
            /** @description Why it is lost. */
            lost: string | null;
            url: string;
            controlUrl: string;
            /** @description JSON-RPC by network. */
            rpc: {
                [key: string]: string;
            };
            /** Format: int64 */
            lease_seconds: number;
            /** @description ISO 8601, by the machine’s clock. In a trace, when the lease would have expired; without the lease, the end of the run. */
            lease_until: string;
            /**
             * Format: int64
             * @description Without what a restore or reset has undone, and without what a test that passed when retried left failed. Null when the world does not respond in time.
             */
            failed_activities: number | null;
            /**
             * Format: int64
             * @description Requests to the service API in its journal that were refused or cut, without those that a restore or reset has undone.
             */
            refused: number | null;
            /**
             * Format: int64
             * @description Of `refused`, the requests whose response was cut off: they may have been carried out.
             */
            cut: number | null;
        };
        Mark: {
            /** Format: int64 */
            cursor: number;
            /** @description The service time that it went to. */
            at: string;
            /** @enum {string} */
            type: "restore" | "reset";
            /** @description Null for a reset. */
            snapshot: {
                id: string;
                name: string | null;
            } | null;
            request_id: string | null;
        };
        Moment: {
            at: string;
            /** @description Null for moments that no request caused. */
            request_id: string | null;
            /**
             * Format: int64
             * @description Place of that request in the journal. With a seed, another request may have the same id. Null for resets and restores too.
             */
            cursor: number | null;
            /** @description request, answer, plan, expiry, signature, transaction, bridge, activity, event, fault, reads (the same read, repeated), cause (what made a plan stale, at the time when it acted), restore or reset. A restore or reset undid all earlier moments that are newer than its snapshot. */
            type: string;
            title: string;
            details: {
                [key: string]: unknown;
            };
        };
        MorphoRewardProof: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            proof_type: "morpho_reward";
            proof: `0x${string}`[];
            /** @description Whole units and the asset’s decimals: `1.5e6` is 1500000 in the smallest unit. */
            proof_amount: string;
        };
        NoProof: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            proof_type: "none";
        };
        Overview: {
            clock: components["schemas"]["Clock"];
            faults: components["schemas"]["Fault"][];
            snapshots: components["schemas"]["Snapshot"][];
            /** @description As in `GET /_sim/prices`; null when no node can report them. */
            prices: {
                [key: string]: string;
            } | null;
            /** @description The accepted keys, each of a separate prime account. */
            api_keys: string[];
            networks: {
                /** @enum {string} */
                network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
                /** Format: int64 */
                chain_id: number;
                ready: boolean;
                /** @description Why it is not ready. */
                error: string | null;
                /** @description As in `GET /health/ready`; null while it mines each transaction at once, or a fault halts it. */
                mining: string | null;
                /** @description The host of the endpoint; null when it is offline. */
                forked_from: string | null;
                /**
                 * Format: int64
                 * @description Null when the node does not answer.
                 */
                height: number | null;
                /** @description Time of the latest block. */
                time: string | null;
            }[];
            /** @description Plans that are neither executed nor expired, oldest first. */
            plans: {
                plan_id: string;
                account_id: string;
                kind: string;
                created_at: string;
                expires_at: string;
                /** @description Its execution would be refused as stale now. All reasons are checked for the newest 20; for older ones, only whether another plan of the wallet has taken the nonce. */
                is_stale: boolean;
            }[];
            /** @description Of the newest 500 plans of the journal, those that ended without having been executed: their time is over, their execution was refused as stale, or a reset or restore took them. The same word as in `GET /_sim/why/{id}`. */
            ended_plans: {
                plan_id: string;
                /** @enum {string} */
                outcome: "expired" | "stale" | "gone";
            }[];
            /** @description The stretches of the journal that led to the present state, by cursors, the newest first: each after `after`, and up to `until` (null: all that follows). A restore or reset has undone everything else. */
            present: {
                /** Format: int64 */
                after: number;
                /** Format: int64 */
                until: number | null;
            }[];
            /** @description Requests up to it can be neither saved as a test nor forked. Null when nothing was reset. */
            last_reset: {
                /** Format: int64 */
                cursor: number;
                /** @description The service time that it went to. */
                at: string;
                /** @enum {string} */
                type: "restore" | "reset";
                /** @description Null for a reset. */
                snapshot: {
                    id: string;
                    name: string | null;
                } | null;
                request_id: string | null;
            } | null;
            /** @description Bridges of the newest 200 activities, newest first. */
            bridges: {
                activity_id: string;
                account_id: string;
                /** @enum {string} */
                from: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
                /** @enum {string} */
                to: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
                asset: string;
                /** @description What was deposited and is refunded without a fill, in the smallest unit. */
                sent: string;
                /** @description What is to arrive, in the smallest unit. */
                amount: string;
                /** @description What its fill is going to pay, in the smallest unit: less than `amount` by a fault rule. Null once it has ended, and in a trace. */
                delivers: string | null;
                /** @description What has arrived, in the smallest unit; null while it is in flight. */
                arrived: string | null;
                /** @enum {string} */
                status: "in flight" | "filled" | "filled in part" | "refunded";
                /** @description Time of the deposit. */
                since: string;
                /** @description When it is going to be filled; null while that is open, once it has ended, and in a trace. */
                fills_at: string | null;
                /** @description What it waits for while the time of its fill is open: fault rules, or a transaction. */
                waits_for: string | null;
                /** @description The last second in which it can be filled. */
                deadline: string | null;
                /** @description When the deposit is back unless it is filled: the second after its deadline, or the end of a longer delay by a fault rule. Null while that is open, as when its fill waits to be mined, once it has ended, and in a trace. */
                until: string | null;
            }[];
            /** @description Failed activities among these, newest first. */
            failed: {
                activity_id: string;
                account_id: string;
                at: string;
                /** @description As in `GET /_sim/why/{id}`. */
                reasons: string[];
            }[];
            /** @description Confirmed activities among these that did again what an earlier one had done whose response was lost, newest first. */
            repeated: {
                activity_id: string;
                account_id: string;
                at: string;
            }[];
            /**
             * Format: int64
             * @description How many activities failed or did again what another had done, and how many requests to the service were refused or cut, without those that a restore or reset has undone.
             */
            failures: number;
            /** @description The newest 14 events of the accounts of these activities, newest first. */
            events: {
                account_id: string;
                /** Format: int64 */
                cursor: number;
                activity_id: string;
                /** @enum {string} */
                activity_status: "pending" | "confirmed" | "failed";
                /** Format: int64 */
                timestamp: number;
            }[];
            /** @description The 8 sub-accounts that were worth most when last recorded. */
            accounts: {
                account_id: string;
                /** @description As in `values` of `GET /_sim/accounts/{id}`. */
                usd: string;
                /** Format: int64 */
                unix_ms: number;
            }[];
        };
        Price: {
            /** @description USD per whole token, from 0.00000001 to 1000000000, with at most 8 decimal places and without an exponent. Anything else is refused, and no price moves. */
            usd: string | number;
        };
        PriceMoved: {
            asset: string;
            usd: string;
            moved: string[];
        };
        Prices: {
            prices: {
                [key: string]: string;
            };
        };
        Reset: {
            at: string;
            /** @description Ids of the removed snapshots. */
            dropped: string[];
        };
        /** @description Exactly one of `account_id` and `address` must be given. */
        RewardGrant: {
            /** @description Grants to the wallet of this sub-account. */
            account_id?: string;
            /**
             * @description Grants to this address.
             * @example 0x1111111111111111111111111111111111111111
             */
            address?: string;
            /**
             * @description Reward asset to grant: what the network’s distributor pays.
             * @example MORPHO
             */
            asset: string;
            /**
             * @description Amount to grant, in the asset’s smallest unit.
             * @example 1000000
             */
            amount: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
        };
        RewardProof: components["schemas"]["NoProof"] | components["schemas"]["MorphoRewardProof"];
        RewardsOwed: {
            address: string;
            asset: string;
            /** @enum {string} */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            owed: string;
        };
        SavedJournal: {
            name: string;
            /**
             * @description A name for the files, without extension.
             * @example transfer-plan_stale
             */
            file: string;
            /** @description For `svc-sim scenario run`. It expects what the client learnt, without the assertions of the client’s own tests. */
            yaml: string;
            /** @description For vitest, with `svc-sim/vitest`. */
            vitest: string;
            /**
             * @description How many exchanges of the journal the files repeat, and which.
             * @example 1 request of the selected, and 5 that led to the outcome
             */
            repeats: string;
            /** @description Exchanges that were asked for, or led there, but are not in the files, and why. */
            left_out: string[];
            /**
             * @description States that reads showed but the files do not expect, because a correct simulator may show others when the test runs; each with the reason.
             * @example [
             *       "GET /activities/act_xo4zlf2sq1kn: pending: bridge.delay had less than 30 s left, and the test may read as much later"
             *     ]
             */
            not_expected: string[];
        };
        /** @description The content of a scenario file. */
        ScenarioContent: {
            [key: string]: unknown;
        };
        ScenarioEntry: {
            /** @description Name of its file, without `.yaml`. */
            name: string;
            /**
             * @description `own`: from the `--scenarios` folder.
             * @enum {string}
             */
            source: "shipped" | "own";
            title: string;
            description: string | null;
            /** @description The parts of a run, in the order in which they are played. */
            steps: string[];
            /** @description Why the file cannot be played. */
            problem: string | null;
        };
        ScenarioFile: {
            /** @description Name of its file, without `.yaml`. */
            name: string;
            /**
             * @description `own`: from the `--scenarios` folder.
             * @enum {string}
             */
            source: "shipped" | "own";
            title: string;
            description: string | null;
            /** @description The parts of a run, in the order in which they are played. */
            steps: string[];
            /** @description Why the file cannot be played. */
            problem: string | null;
            yaml: string;
        };
        ScenarioRun: {
            name: string;
            /**
             * Format: int64
             * @description The id of the run in `scenario` messages of the stream.
             */
            run: number;
            passed: boolean;
            /** @description The part that failed, and why; later parts were not played. */
            failure: {
                where: string;
                message: string;
            } | null;
            /** @description It only prepares a world: nothing was played or checked. */
            is_prepared: boolean;
            steps: string[];
            /**
             * Format: int64
             * @description Number of requests that it sent; the journal has them.
             */
            requests: number;
            /** Format: int64 */
            duration_ms: number;
            /** @description Ids of the accounts it created, for `GET /_sim/why/{id}`. */
            account_ids: string[];
        };
        Scenarios: {
            scenarios: components["schemas"]["ScenarioEntry"][];
        };
        ScenarioText: {
            yaml: string;
        };
        SentAgain: {
            event: components["schemas"]["Event"];
            /** Format: int64 */
            cursor: number;
        };
        ShortAnswer: {
            status: number;
            error: string | null;
        } | null;
        Snapshot: {
            id: string;
            name: string | null;
            /** @description Service time at which it was taken, ISO 8601. */
            at: string;
        };
        SnapshotRequest: {
            /** @description A name to restore it by, besides its id. */
            name?: string;
        };
        SnapshotRestored: {
            id: string;
            name: string | null;
            /** @description Service time at which it was taken, ISO 8601. */
            at: string;
            /** @description Ids of the removed snapshots. */
            dropped: string[];
        };
        Snapshots: {
            snapshots: components["schemas"]["Snapshot"][];
        };
        TraceInfo: {
            trace: {
                file: string;
                /** @description The version of svc-sim that wrote it. */
                made_by: string;
                /** @description The service time at its end; ISO 8601. */
                ended_at: string;
                /**
                 * Format: int64
                 * @description Number of accounts omitted because there were too many.
                 */
                accounts_left_out: number;
                /**
                 * Format: int64
                 * @description Number of leased worlds omitted for lack of room.
                 */
                worlds_left_out: number;
            } | null;
        };
        Transaction: {
            /** @enum {string} */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /** Format: int64 */
            block: number;
            at: string;
            hash: string;
            /** @enum {string} */
            status: "mined" | "reverted";
            /** @description An address; null in older traces. */
            from: string | null;
            /** @description An address; null for a new contract. */
            to: string | null;
            /** @description Account id, contract, part of the simulator, or the address. */
            from_name: string | null;
            /** @description As `from_name`. */
            to_name: string | null;
            /** Format: int64 */
            nonce: number | null;
            value: string | null;
            /** @description For gas, in the network’s native token. */
            fee: string | null;
            gas_used: string;
            /** @description Its name, or its selector; null for a plain transfer. */
            function: string | null;
            /** @description By parameter name. */
            args: {
                [key: string]: unknown;
            };
            /** @description The request on whose behalf it was sent, as long as the journal has it. */
            request_id: string | null;
            plan_id: string | null;
            activity_id: string | null;
            /** @description Why it reverted, decoded. */
            reason: string | null;
            /** @description In the order of execution. Null when the node can no longer trace the transaction. */
            calls: {
                /**
                 * Format: int64
                 * @description 0 is the transaction itself.
                 */
                depth: number;
                /** @description CALL, DELEGATECALL, STATICCALL, CREATE, … */
                type: string;
                from: string;
                to: string | null;
                /** @description The address behind `to`. */
                address: string | null;
                value: string;
                gas_used: string;
                /** @description Its name, or its selector; null for a plain transfer. */
                function: string | null;
                /** @description By parameter name. */
                args: {
                    [key: string]: unknown;
                };
                error: string | null;
            }[] | null;
            /** Format: int64 */
            calls_left_out: number;
            logs: {
                contract: string;
                event: string;
                args?: unknown;
            }[];
            /** @description Without gas fees. */
            balances: {
                address: string;
                /** @description Account id, contract, or the address. */
                name: string;
                asset: string;
                /** @description Signed, in the smallest unit. */
                change: string;
            }[];
        };
        TwinStep: {
            /** @description The keyword of the scenario file. */
            step: string;
            /**
             * Format: int64
             * @description Cursor of the exchange; null for the change and for waiting.
             */
            cursor: number | null;
            /** @description Method and URL of the exchange. */
            asked: string | null;
            original: components["schemas"]["ShortAnswer"];
            twin: components["schemas"]["ShortAnswer"];
            /** @description Why its outcome differs, or why it could not be done. */
            problem: string | null;
        };
        Why: {
            id: string;
            related: {
                account_id: string | null;
                plan_id: string | null;
                activity_id: string | null;
                svc_intent_id: string | null;
            };
            timeline: components["schemas"]["Moment"][];
            activity: {
                status: string;
                reasons: string[];
            } | null;
            /** @description What became of it, in one line: for a failure the part that failed and the fault rule that caused it, for what is pending what it waits for. */
            now: string;
            /** @description The same as data; `now` and the hints are made from it. */
            verdict: {
                /**
                 * @description Plans that were not executed: ready, stale, expired, gone. Activities: pending, confirmed, failed. Requests: answered, refused, cut, open. Accounts: idle, active. Fault rules: armed, ended, removed. Transactions: mined, reverted, sent.
                 * @enum {string}
                 */
                outcome: "ready" | "stale" | "expired" | "gone" | "pending" | "confirmed" | "failed" | "answered" | "refused" | "cut" | "open" | "idle" | "active" | "armed" | "ended" | "removed" | "mined" | "reverted" | "sent";
                /** @description What changed, and who changed it. */
                cause: ({
                    /** @description plan, fault, faucet, rewards, rpc, bridge, liquidation, price, clock, reorganisation, restore, reset, expired (its time was over), executed (the plan itself ran before), or unknown. */
                    cause: string;
                    /** @description What the check of the plan found, or what keeps an activity pending. */
                    reason: string;
                    changed?: string;
                    before?: string;
                    after?: string;
                    at?: string;
                    by_request?: string;
                    hashes?: string[];
                    /** @description What else moved the price of a swap against the plan, or took from the exchange what it buys, by a share that mattered, the largest first. */
                    also?: ({
                        cause: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    /** @description Of an unknown cause: what happened since the plan was made. */
                    since?: string[];
                } & {
                    [key: string]: unknown;
                }) | null;
                /** @description The fault rule that brought it about. */
                fault?: {
                    rule: string;
                    effect: string;
                };
                network?: string;
                /** @description Values as text, amounts in whole units. Of a change: before and after. Of a plan without enough money: needed and missing. Of a position: what was asked, and what it holds or the wallet owes. Of a bridge that delivered too little: sent, expected, arrived and missing. Of a wait: what is waited for. */
                amounts?: {
                    [key: string]: string;
                };
                /** @description What to do; null where all is well. */
                next: string | null;
            };
            /** @description False when related exchanges may have left the journal or happened before this process started, or when some moments are omitted. */
            is_complete: boolean;
        };
        World: {
            id: string;
            /** @description As the lease gave it. */
            name: string | null;
            /** @description The tests that failed in it, as reported with `POST /_sim/worlds/{id}/failures`. */
            failed_tests: string[];
            /** @description The tests that failed in it first, and passed when they were retried. */
            flaky_tests: string[];
            /** @description The tests that passed in it at once, as reported. The vitest fixtures report only the test of a fresh world. */
            passed_tests: string[];
            /** @description The error of the test that failed last, if it was reported. */
            failure: string | null;
            /** @description The last error of each test that failed in it, by its name, where it was reported. */
            failures: {
                [key: string]: string;
            };
            /** @description In a trace, of the entry of one test: the world in which the test ran, or `default`, the default world. Otherwise null. */
            test_of: string | null;
            /** @description ISO 8601, by the machine’s clock. Null of the default world and its tests, which have no lease, and in a trace without the lease of this world: which tests failed in it is unknown then. */
            leased_at: string | null;
            /**
             * @description `ended`: in a trace, and after its lease.
             * @enum {string}
             */
            state: "leased" | "lost" | "ended";
            /** @description Why it is lost. */
            lost: string | null;
            url: string;
            controlUrl: string;
            /** @description JSON-RPC by network. */
            rpc: {
                [key: string]: string;
            };
            /** Format: int64 */
            lease_seconds: number;
            /** @description ISO 8601, by the machine’s clock. In a trace, when the lease would have expired; without the lease, the end of the run. */
            lease_until: string;
        };
        WorldLease: {
            id: string;
            /** @description As the lease gave it. */
            name: string | null;
            /** @description The tests that failed in it, as reported with `POST /_sim/worlds/{id}/failures`. */
            failed_tests: string[];
            /** @description The tests that failed in it first, and passed when they were retried. */
            flaky_tests: string[];
            /** @description The tests that passed in it at once, as reported. The vitest fixtures report only the test of a fresh world. */
            passed_tests: string[];
            /** @description The error of the test that failed last, if it was reported. */
            failure: string | null;
            /** @description The last error of each test that failed in it, by its name, where it was reported. */
            failures: {
                [key: string]: string;
            };
            /** @description In a trace, of the entry of one test: the world in which the test ran, or `default`, the default world. Otherwise null. */
            test_of: string | null;
            /** @description ISO 8601, by the machine’s clock. Null of the default world and its tests, which have no lease, and in a trace without the lease of this world: which tests failed in it is unknown then. */
            leased_at: string | null;
            /**
             * @description `ended`: in a trace, and after its lease.
             * @enum {string}
             */
            state: "leased" | "lost" | "ended";
            /** @description Why it is lost. */
            lost: string | null;
            url: string;
            controlUrl: string;
            /** @description JSON-RPC by network. */
            rpc: {
                [key: string]: string;
            };
            /** Format: int64 */
            lease_seconds: number;
            /** @description ISO 8601, by the machine’s clock. In a trace, when the lease would have expired; without the lease, the end of the run. */
            lease_until: string;
            /** @description The only key of this world. Shown here and in its own `overview`, but in no list of worlds. */
            apiKey: string;
            /** @description The accounts of the scenario, by their names there. */
            accounts: {
                [key: string]: {
                    id: string;
                    wallet: string;
                    signer: string;
                    key: string;
                };
            };
        };
        WorldRequest: {
            /** @description Shown in the list of worlds, for example file and name of a test. */
            name?: string;
            /** @description Makes ids the same from world to world; random when absent. */
            seed?: number | string;
            /** @description `real`, `auto`, `frozen` or `frozen@TIME`, as `--clock`; when absent, `auto` if the simulator was started with `--clock auto`, and `real` otherwise. */
            clock?: string;
            /** @description Networks to fork, each as `URL[,URL...]`, with `@BLOCK` or without, or `{url, block}`; the others are offline. */
            fork?: {
                mainnet?: string | {
                    /** @description Endpoints: if one fails, the next is used. A single one may be a string. */
                    url: string[];
                    /** Format: int64 */
                    block?: number;
                };
                base?: string | {
                    /** @description Endpoints: if one fails, the next is used. A single one may be a string. */
                    url: string[];
                    /** Format: int64 */
                    block?: number;
                };
                arbitrum?: string | {
                    /** @description Endpoints: if one fails, the next is used. A single one may be a string. */
                    url: string[];
                    /** Format: int64 */
                    block?: number;
                };
                optimism?: string | {
                    /** @description Endpoints: if one fails, the next is used. A single one may be a string. */
                    url: string[];
                    /** Format: int64 */
                    block?: number;
                };
                polygon?: string | {
                    /** @description Endpoints: if one fails, the next is used. A single one may be a string. */
                    url: string[];
                    /** Format: int64 */
                    block?: number;
                };
            };
            /** @description Folder of a bundle on the simulator’s machine, from which its networks are forked. Data missing there comes from the endpoints in `fork`; otherwise it is an error. */
            bundle?: string;
            /** @description A scenario, as JSON or as YAML text: its world is prepared and its faults are armed. */
            scenario?: string | components["schemas"]["ScenarioContent"];
            /**
             * @description Length of the lease after it is granted or renewed, by the machine’s clock.
             * @default 300
             */
            lease_seconds?: number;
        };
        Worlds: {
            worlds: components["schemas"]["ListedWorld"][];
            /** Format: int64 */
            leased: number;
            /**
             * Format: int64
             * @description Ready for the next lease.
             */
            warm: number;
            /**
             * Format: int64
             * @description Being started, or reset after a lease.
             */
            starting: number;
            /**
             * Format: int64
             * @description Requests waiting for a lease.
             */
            waiting: number;
            /**
             * Format: int64
             * @description `--max-worlds`.
             */
            most: number;
            /**
             * Format: int64
             * @description Worlds that have ended since the start and in which tests failed; in a trace, the default world is one of them.
             */
            ended_with_failures: number;
            /** @description The last 50 worlds whose lease has ended and in which tests failed, or that were lost, newest first. Empty in a trace, which lists all worlds with what they did. */
            ended_worlds: components["schemas"]["EndedWorld"][];
            /** @description The default world, if tests failed in it: those that share it report them there. It has no lease, so `lease_seconds` is 0. */
            default_world: {
                id: string;
                /** @description As the lease gave it. */
                name: string | null;
                /** @description The tests that failed in it, as reported with `POST /_sim/worlds/{id}/failures`. */
                failed_tests: string[];
                /** @description The tests that failed in it first, and passed when they were retried. */
                flaky_tests: string[];
                /** @description The tests that passed in it at once, as reported. The vitest fixtures report only the test of a fresh world. */
                passed_tests: string[];
                /** @description The error of the test that failed last, if it was reported. */
                failure: string | null;
                /** @description The last error of each test that failed in it, by its name, where it was reported. */
                failures: {
                    [key: string]: string;
                };
                /** @description In a trace, of the entry of one test: the world in which the test ran, or `default`, the default world. Otherwise null. */
                test_of: string | null;
                /** @description ISO 8601, by the machine’s clock. Null of the default world and its tests, which have no lease, and in a trace without the lease of this world: which tests failed in it is unknown then. */
                leased_at: string | null;
                /**
                 * @description `ended`: in a trace, and after its lease.
                 * @enum {string}
                 */
                state: "leased" | "lost" | "ended";
                /** @description Why it is lost. */
                lost: string | null;
                url: string;
                controlUrl: string;
                /** @description JSON-RPC by network. */
                rpc: {
                    [key: string]: string;
                };
                /** Format: int64 */
                lease_seconds: number;
                /** @description ISO 8601, by the machine’s clock. In a trace, when the lease would have expired; without the lease, the end of the run. */
                lease_until: string;
            } | null;
            /** @description The file that keeps what ended worlds did: open it with `svc-sim ui FILE`. Null without `--trace`. */
            trace: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of the request in the simulator’s log. */
        RequestId: string;
        /** @description The ids of the fault rules that fired for this request, separated by commas. */
        Fault: string;
        /** @description What was wrong and what to do next; absent when there is nothing to add. ASCII. */
        Hint: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getIndex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The index. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ControlIndex"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a client needs. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connect"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAllAccounts: {
        parameters: {
            query?: {
                /** @description Maximum number of sub-accounts. */
                limit?: number;
                /** @description Only sub-accounts after this account_id. */
                after?: string;
                /** @description Which sub-accounts come first. */
                order?: "oldest" | "newest";
                /** @description Only sub-accounts with this text in an id or address (account, prime account, signer or wallet), in any casing. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page, and the total number found. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accounts: components["schemas"]["AccountOfAny"][];
                        /** Format: int64 */
                        total: number;
                    };
                };
            };
            /** @description `invalid_params`: `limit` is out of bounds, `order` is unknown, or `after` is not the account_id of a match */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    inspectAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sub-account, with its newest 200 activities and events. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountView"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: no prime account has such a sub-account */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    fundWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Fund"];
            };
        };
        responses: {
            /** @description The balance afterwards, in the asset’s smallest unit. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Funded"];
                };
            };
            /** @description `invalid_params`: a field is missing or malformed, the asset is not on that network, or the token refuses the recipient */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `account_not_found`: the account does not exist or belongs to another prime account */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `timeout`: the node stopped responding when it had the gift: look at the balance before you fund again */
            408: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: the network mines no blocks, or its node does not respond; nothing was added */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    grantRewards: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RewardGrant"];
            };
        };
        responses: {
            /** @description What the wallet can now claim, in the smallest unit. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RewardsOwed"];
                };
            };
            /** @description `invalid_params`: a field is missing or malformed, or the network’s distributor does not pay that asset */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `account_not_found`: the account does not exist or belongs to another prime account */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: the network mines no blocks */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSnapshots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshots. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshots"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    takeSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SnapshotRequest"];
            };
        };
        responses: {
            /** @description The snapshot. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: the name is taken, there are already 100 snapshots, or a request under way does not end, or a node has lost its snapshot; nothing was changed */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The restored snapshot. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotRestored"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: the snapshot does not exist, or no longer exists; the message says why */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: a request under way does not end, or a node has lost its snapshot; nothing was changed */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted snapshot. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: the snapshot does not exist, or no longer exists; the message says why */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetSimulator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Service time now. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reset"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: a request under way does not end, or a node has lost its snapshot; nothing was changed */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resulting time. Everything due by then has happened, on all chains. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Advance"];
            };
        };
        responses: {
            /** @description The resulting time. Everything due by then has happened, on all chains. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            /** @description `invalid_params`: seconds is malformed or out of range */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: work under way does not end because a fault holds it; the clock has not moved */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    freezeClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Freeze"];
            };
        };
        responses: {
            /** @description The resulting time. Everything due by then has happened, on all chains. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            /** @description `invalid_params`: at is malformed or before the latest block */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: work under way does not end because a fault holds it; the clock has not moved */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resumeClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resulting time. Everything due by then has happened, on all chains. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    skipClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resulting time. Everything due by then has happened, on all chains. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: work under way does not end because a fault holds it; the clock has not moved */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    waitForClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockWait"];
            };
        };
        responses: {
            /** @description The resulting time. Everything due by then has happened, on all chains. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clock"];
                };
            };
            /** @description `invalid_params`: seconds is malformed or out of range */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Faults"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replaceFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FaultRule"][];
            };
        };
        responses: {
            /** @description The rules. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Faults"];
                };
            };
            /** @description `invalid_params`: a rule is malformed, names something unknown, or can never fire; nothing was changed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: a node that must respond for this is blocked by another rule with `chain.down`; nothing was changed */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addFault: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FaultRule"];
            };
        };
        responses: {
            /** @description The rule. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fault"];
                };
            };
            /** @description `invalid_params`: a rule is malformed, names something unknown, or can never fire; nothing was changed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: there are already 1,000 rules, or a node that must respond for this is blocked by another rule with `chain.down`; nothing was changed */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The removed rules. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Faults"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule in its last state. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fault"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: there is no such rule */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: a chain on which it must be undone is held by another rule with `chain.down` or `chain.halt`; nothing was changed */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEffects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The effects, seam by seam. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Effects"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPrices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Decimal strings by asset symbol. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prices"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                asset: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Price"];
            };
        };
        responses: {
            /** @description The new price, and every asset that has it now. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceMoved"];
                };
            };
            /** @description `invalid_params`: the asset has no price, or usd is malformed or out of range; no price has moved */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: a network mines no blocks */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    liquidate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Liquidate"];
            };
        };
        responses: {
            /** @description The liquidated positions; none when everything was safe. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liquidations"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `account_not_found`: the account does not exist or belongs to another prime account */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: one of the networks mines no blocks */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    repeatEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventAgain"];
            };
        };
        responses: {
            /** @description The event, and the cursor under which it was delivered. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentAgain"];
                };
            };
            /** @description `invalid_params`: account_id or cursor is missing or malformed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `account_not_found`: the account does not exist or belongs to another prime account
             *
             *     `not_found`: the account has no event with this cursor
             */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listExchanges: {
        parameters: {
            query?: {
                /** @description Only exchanges after this cursor. */
                since?: number;
                /** @description Maximum number of exchanges: the oldest with `since`, otherwise the newest. */
                limit?: number;
                /** @description Only exchanges of this account. */
                account_id?: string;
                /** @description Adds how long each took (`took_ms`). Without it, two simulators with the same seed and a frozen clock return the same journal. */
                durations?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exchanges, and the cursor to continue from. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Journal"];
                };
            };
            /** @description `invalid_params`: since, limit, account_id or durations is malformed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportScenario: {
        parameters: {
            query?: {
                /** @description Only exchanges after this cursor. */
                since?: number;
                /** @description Only the run that led to this cursor, also what other accounts did there. */
                until?: number;
                /** @description Only exchanges of this account. */
                account_id?: string;
                /** @description Only exchanges with this text in method and URL, or this id or error code. */
                path?: string;
                /** @description Only this status (`409`) or class: `2`, `3`, `4`, `5`, `cut` or `open`; `failed` for failed activities, `problem` for these and for `4`, `5` and `cut`. */
                status?: string;
                /** @description Only exchanges that this fault rule hit or made fail; `any` for any rule. */
                fault?: string;
                /** @description Only the `service` or the `control` API. */
                api?: string;
                /** @description Name of the scenario. By default, what its last failure is. */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The files. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedJournal"];
                };
            };
            /** @description `invalid_params`: since, until, account_id, name or a filter is malformed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: the exchanges belong to several runs, which restored snapshots separate, or depend on accounts that were not created in the saved part; or no exchange matches, a reset has undone all that do, or none can be repeated */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    forkJournal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JournalForkRequest"];
            };
        };
        responses: {
            /** @description The world, and the outcome of each step. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JournalFork"];
                };
            };
            /** @description `invalid_params`: before or change is malformed, or the change cannot be made */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: there is no such exchange, or this is a leased world, which cannot lease worlds */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: a reset has undone it, it is no step of a scenario, or the exchanges before it cannot be repeated in an empty world */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: the limit of worlds is reached, and too many requests wait or no world was released in time */
            429: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_room`: the simulator drains before it stops, or the request says `wait=0` and the limit of worlds is reached */
            503: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    explain: {
        parameters: {
            query?: {
                /** @description With a seed and a frozen clock, an id comes again after a reset or restore: this selects the life of this cursor of the journal. Without it, the present life is shown, or else the newest. */
                cursor?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The timeline. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Why"];
                };
            };
            /** @description `invalid_params`: cursor is malformed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: neither the journal nor the store knows the id */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBlocks: {
        parameters: {
            query?: {
                /** @description Number of the newest block to return; the latest when absent. */
                last?: number;
                /** @description Maximum number of blocks. */
                limit?: number;
            };
            header?: never;
            path: {
                network: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The blocks; none when `last` is beyond the latest. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Blocks"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: there is no such network */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: the node does not answer */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    inspectTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Transaction"];
                };
            };
            /** @description `invalid_params`: the hash is not `0x` and 64 hex digits */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: no network has mined it */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    followSimulator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream; it stays open until the client closes it. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCoverage: {
        parameters: {
            query?: {
                /** @description Adds the responses of leased worlds. */
                worlds?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cells. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coverage"];
                };
            };
            /** @description `invalid_params`: worlds is malformed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listScenarios: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scenarios. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scenarios"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runScenarioText: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScenarioText"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioRun"];
                };
            };
            /** @description `invalid_params`: the text is not a valid scenario; the message names lines and paths */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: a scenario is already running in this world, its clock begins before that of the world, or no snapshot of the world can be taken */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scenario. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioFile"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: there is no such scenario */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    runScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result, even when the scenario failed. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioRun"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: there is no such scenario */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `conflict`: a scenario is already running in this world, its clock begins before that of the world, or no snapshot of the world can be taken */
            409: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTrace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trace that is served, or null. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceInfo"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorlds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The worlds. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Worlds"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    leaseWorld: {
        parameters: {
            query?: {
                /** @description `0`: fail at once if the limit of worlds is reached. */
                wait?: "0";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorldRequest"];
            };
        };
        responses: {
            /** @description The world. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorldLease"];
                };
            };
            /** @description `invalid_params`: a field is malformed, or a world cannot start with it; the message names the field */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited`: the limit of worlds is reached, and too many requests wait or no world was released in time */
            429: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_room`: the simulator drains before it stops, or the request says `wait=0` and the limit of worlds is reached */
            503: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: the world does not exist, or no longer exists */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    releaseWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The released world. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: the world does not exist, or no longer exists */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reportFailedTest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailedTest"];
            };
        };
        responses: {
            /** @description The world. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: the world does not exist, or no longer exists */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renewWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            /** @description `invalid_params`: a parameter is missing, malformed or not allowed */
            400: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`: the world does not exist, or no longer exists */
            404: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large`: the request body is over 1 MiB */
            413: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `world_lost`: the world has ended */
            503: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getControlOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI 3.1 document. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        openapi: "3.1.0" | "3.0.3";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /**
             * @description `missing_auth_header`: the simulator requires a control token and none was sent
             *
             *     `invalid_api_key`: the simulator requires a control token and the one that was sent is wrong
             */
            401: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`: the Host header names another server, or a foreign page calls the control API */
            403: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error`: an unexpected failure */
            500: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
