// Written by tools/openapi-types from openapi/control.json (sha256 72aef06717adc124ec144c357787a4be395c285b83c542b93d288ad346f013bf): not to be edited.

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
         * @description Which simulator this is, and where its document and its pages are.
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
         * @description URLs, API key, chain ids, actors, contracts, and snippets to paste. The URLs use the host of the request, so they work from where you ask. `svc-sim env` prints the same for a shell.
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
         * How things stand
         * @description Clock, networks, plans that can be executed, faults, snapshots, prices and the API keys in one answer, which comes even when nodes are down: what the dashboard begins with, before it follows `GET /_sim/stream`. Of a leased world at `/_sim/worlds/ID/overview`.
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
         * @description Those of all prime accounts, oldest first. The last `account_id` of one page is `after` of the next.
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
         * Look at a sub-account
         * @description Of whichever prime account: its folio, activities and events in one answer. Looking changes nothing: no fault counts it, and it is not in the journal.
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
         * @description Makes a sub-account’s wallet or any address due of rewards of Morpho vaults without having earned them: they stand in the next root, with a proof, and can be claimed at once. The distributor is given the funds.
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
         * @description Those that can be restored, oldest first.
         */
        get: operations["listSnapshots"];
        put?: never;
        /**
         * Take a snapshot
         * @description Of everything: accounts, plans, activities, events, the five chains, the clock, fault rules with their counters. Waits for requests under way; executions and bridge fills pause for it and go on. The body may be left out.
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
         * @description By id or name. Takes everything back to the moment of the snapshot, the time of the clock included; what was under way then goes on. It can be restored again; snapshots taken after it are gone. Requests that come meanwhile wait; waiting long polls answer without events, and folio streams go on with what is different.
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
         * @description By id or name. The nodes keep its memory until an earlier snapshot is restored.
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
         * Back to the start
         * @description Takes everything back to the state right after the start, with the world of the scenario that it was started with. All snapshots are gone. A clock that was started real shows the machine’s time again.
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
         * What time it is
         * @description The one clock of the API and the chains.
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
         * Let time pass
         * @description Goes ahead from one due moment to the next, and answers when all that was due has happened: plans have expired, interest has accrued, bridges have delivered, events are out, long polls have been answered.
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
         * Stop the clock
         * @description Now, or at an instant. Every block that is mined from then on carries the same second.
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
         * Let the clock run again
         * @description From where it stands. Nothing changes when it is running.
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
         * Let the clock skip what everybody waits for
         * @description From now on the clock stands still while anything is computed. As soon as everybody waits, it jumps to the next moment that somebody waits for: a bridge fill or refund, a delayed event, the end of a latency fault or of a long poll. The expiry of a plan is no such moment. A request that comes meanwhile waits until nothing is due any more.
         */
        post: operations["skipClock"];
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
         * @description In the order in which they come in, with how often they matched and fired.
         */
        get: operations["listFaults"];
        /**
         * Replace all fault rules
         * @description By the rules of the body, in their order; all or nothing. The rules before are removed as by DELETE.
         */
        put: operations["replaceFaults"];
        /**
         * Add a fault rule
         * @description Something goes wrong on purpose from now on: `on` names the seam, `effect` what happens there, `match` for which calls, `after` how many of them pass first, `times` how often it then fires. It comes in behind the rules there are. docs/faults.md lists seams and effects.
         */
        post: operations["addFault"];
        /**
         * Remove all fault rules
         * @description Whatever they hold goes on, and what they changed on the chains is taken back.
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
         * @description What it holds goes on, and what it changed on the chains is taken back.
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
         * What can go wrong on purpose
         * @description Every seam and effect that a fault rule can name, with the JSON schema of its settings. docs/faults.md is made of the same.
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
         * What assets cost
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
         * @description A price shock: feeds, Aave and Morpho oracles, quotes of the aggregator and Uniswap pools move together, on all networks. Assets that are a claim on this one (ETH and WETH) move with it. Answers when everything has moved. Positions that this makes unsafe stay until somebody liquidates them.
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
         * Liquidate what is unsafe
         * @description A bot account liquidates the unsafe positions of a sub-account’s wallet or of any address, on one network or on all: Comet absorbs it, on Morpho Blue the bot repays the debt for collateral. Safe positions stay. The sub-account gets an activity of type `exogenous` with its event.
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
         * @description Delivers an event once more, equal to the first time, under the next cursor: to who waits in a long poll, and to who reads later. A client that takes events at least once does nothing twice. One that a fault has dropped is delivered by it. Nothing else changes; a restart forgets it.
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
         * @description The last exchanges of the service and the control API, oldest first. Each has what it caused, also after its response. `marks` says where the simulator was reset or restored: exchanges before a mark belong to an earlier state. The journal is bounded in number and bytes. Secrets are masked.
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
         * @description A scenario file that asks again what is in the journal since the last reset, of accounts of its own, and expects the same statuses and errors; and a vitest file that plays it. Begins in an empty world: what was done before the part that is saved is not in it. Of real time between requests, more than ten seconds are let pass again.
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
         * Go back, change something, run on
         * @description Leases a world, does there again what the journal has since the last reset up to before an exchange, makes a change, and goes on with the rest, whatever comes of it. This world is left alone. The new one stays as it is at the end, for half an hour or until it is given back: its timelines can be laid beside those of here.
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
         * @description Returns one timeline for an account, plan, activity (`act_` id or number), intent or request. It has the requests and responses, the plan’s decoded operations, signatures, transactions with decoded logs and revert reasons, bridge fills, events, and the faults that fired.
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
    "/_sim/transactions/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at a transaction
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
         * @description Sends server-sent events as they happen. Types: exchange, event, block, clock, fault, snapshot, scenario, world. The data is JSON: `exchange` an exchange as in `GET /_sim/journal`, after its response; `event` an event of any account, with `account_id` and `cursor`; `block` `{network, number, hash, parent_hash, time, transactions}` (a repeated number means that this block and the later ones were replaced); `clock` `{now, unix_ms, mode}` after each move; `fault` `{change: added|removed|fired, fault, request_id}`; `snapshot` `{change: taken|restored|deleted|reset, snapshot, request_id}`; `scenario` `{name, run, state: running|passed|failed, where, message, steps}` when a part of a scenario begins or ends; `world` `{change: leased|renewed|ended|lost, world: {id, lease_until}, reason}`, on the default world only. With the header `Last-Event-ID` the stream resumes after that entry. The response has this header too, so that a client can resume a stream that broke before its first event. The part before the hyphen changes with each start of the simulator. The simulator keeps the last 2,000 entries. A client that is slower, or returns later, first gets `dropped` with `{count}`. Secrets are masked.
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
         * Which documented answers were met
         * @description Every documented (endpoint, status, code) of the service, and how often it was answered since the start. An answer counts whatever has caused it, a fault rule that paints it included; one that was cut does not, nor does the answer to a HEAD request. Each world counts its own, from its lease on. A reset or a restore does not clear it, and a data folder does not keep it.
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
         * @description The shipped ones, and those of the folder that was named with `--scenarios`, by name; an own one stands in for a shipped one of its name.
         */
        get: operations["listScenarios"];
        put?: never;
        /**
         * Play a scenario of your own
         * @description The text of a scenario file, YAML or JSON; else as `/_sim/scenarios/{name}/run`. Its run bears the name that it gives itself.
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
         * @description What it is about, and its file.
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
         * @description In this world, as any client could: first everything is kept in a snapshot and fault rules are put aside, at the end everything goes back to it. So what others do meanwhile is undone; in a leased world (`/_sim/worlds/ID/scenarios/NAME/run`) it disturbs nobody. Answers at the end; meanwhile `scenario` messages of the stream tell each part as it begins. What went over the wire stays in the journal.
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
         * Whether this is a trace
         * @description Null for a simulator that runs. `svc-sim ui FILE` serves what `--trace FILE` has written: everything that changes something is `conflict` there. What leased worlds did is served at `/_sim/worlds/ID/...`, as it was.
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
         * Figures for Prometheus
         * @description Requests, times of plans and executions, what is under way, the nodes, memory, faults and records, in the text format of Prometheus. Counters count from the start of the process; a reset or a restore takes none of them back. Answers within about two seconds even when nodes do not: then it tells which. docs/metrics.md lists all of them.
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
         * @description Those that are leased, oldest lease first, and how many others there are. Their keys are not told.
         */
        get: operations["listWorlds"];
        put?: never;
        /**
         * Lease a world
         * @description A whole simulator of its own behind the same port: five chains, clock, prices, faults, accounts, journal, snapshots, in memory. Its key chooses it for the service API, and as bearer for `/_sim` and `/rpc`; so do `/_sim/worlds/ID/...` and `/worlds/ID/rpc/NETWORK`. Nobody else gets it until the lease ends: when it is given back, or not renewed in time. All fields may be left out, and the body too.
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
         * Look at a world
         * @description Until when it is leased; or that it is lost, and why.
         */
        get: operations["getWorld"];
        put?: never;
        post?: never;
        /**
         * Give a world back
         * @description Ends the lease at once: key and id are unknown from now on, and requests under way may break off. What was in the world is gone.
         */
        delete: operations["releaseWorld"];
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
         * @description It lasts another `lease_seconds` from now.
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
            /** @description As it was sent. */
            signer_address: `0x${string}`;
            /** @description The same on every network; deterministic from the signer. Lower case. */
            svc_wallet_address: `0x${string}`;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
            /** @description As `GET /prime_account` has it. */
            prime_account_id: string;
        };
        AccountView: {
            account: components["schemas"]["AccountOfAny"];
            /** @description A key with which the service answers for it; null when all are revoked. */
            api_key: string | null;
            /** @description Of the networks that answer, whatever faults there are; null when none does. */
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
                /** @description `svc_nonce/{wallet}/{nonce}` or `across_fill/{wallet}/{relay hash}`: whether it is through */
                completion_statuses: {
                    [key: string]: boolean;
                };
                /** @description The key of a completion status: what is still to come when that turns true */
                patches: {
                    [key: string]: components["schemas"]["FolioPatch"][];
                };
            } | null;
            /** @description Networks that do not answer within 2 s; the folio lacks them. */
            missing: {
                network: string;
                problem: string;
            }[];
            /** @description Newest first, in short. */
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
                    /** @description As in the activity. */
                    action_context: {
                        [key: string]: unknown;
                    };
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
            /** @description How far; 0 only waits for work under way. At most a hundred years. */
            seconds: number;
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
            /** @description The seam, as `on` of a rule names it. */
            on: string;
            effect: string;
            /** @description What happens. */
            summary: string;
            /** @description Why a client is answered this although nothing in the world brings it about; null when something does. */
            painted: string | null;
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
        Error: {
            /** @description The code: what kind of error it is. There may be further codes. */
            error: string;
            /** @description What was wrong, for people. */
            message: string;
        };
        Event: {
            /** @enum {string} */
            event_type: "activity_updated";
            data: {
                activity_id: string;
                /**
                 * @description `svc_operation_executed`: an executed plan; `exogenous`: what came from outside.
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
            /**
             * @description Whose event it is.
             * @example acc_7hk20wq9z1ab
             */
            account_id: string;
            /**
             * Format: int64
             * @description Its cursor, as `event` of `GET /_sim/stream` and the notes of `GET /_sim/journal` tell it.
             * @example 1767603600
             */
            cursor: number;
        };
        Exchange: {
            /** Format: int64 */
            cursor: number;
            at: string;
            /**
             * Format: int64
             * @description When it came by the machine’s clock, also when the service’s is frozen. With `durations=true` alone.
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
                /** @description How long it took by the machine’s clock, also when the service’s is frozen. With `durations=true` alone: it is never the same twice. */
                took_ms?: number;
            } | null;
        };
        Fault: {
            id: string;
            on: string;
            effect?: string | components["schemas"]["EffectWithSettings"];
            sequence?: (string | components["schemas"]["EffectWithSettings"])[];
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
             * @description Calls at which it fired.
             */
            hits: number;
        };
        FaultRule: {
            /** @description By which it is known and removed; given when absent. */
            id?: string;
            /**
             * @description The seam at which it comes in.
             * @example quote
             */
            on: string;
            /** @description What it is narrowed to; all must match. */
            match?: {
                account_id?: string;
                kind?: string;
                /** @enum {string} */
                network?: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
                asset?: string;
                /** @description `*` stands for anything. */
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
             * @description Matching calls that pass.
             * @default 0
             */
            after?: number;
            /** @description How often it fires. */
            times?: number;
            /** @description How likely it fires; drawn from the run’s seed. */
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
            /** @description Null where the protocol keeps no sum. */
            total_supply: string | null;
            /** @description Null when the price feed does not answer. */
            usd_price: string | null;
        };
        /** @description What something under way will do to a balance. */
        FolioPatch: {
            /** @description The key in `balances` that will change. */
            target: string;
            /** @description An amount that is added, or with a minus sign taken away. */
            delta: string;
            operation_id?: string;
            metadata?: {
                operation_type: string;
                /** Format: int64 */
                estimated_eta: number;
            };
        };
        /** @description What it takes to claim a reward. */
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
        /** @description A market that pays for what is supplied. */
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
            /** @enum {string} */
            state: "leased" | "lost";
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
            /** @description ISO 8601, by the machine’s clock. */
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
            /**
             * @description Funds the wallet of this sub-account.
             * @example acc_7hk20wq9z1ab
             */
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
             * @description Amount to add, in the asset’s smallest unit.
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
             * @description Of the last exchange or mark; the next `since`.
             */
            cursor: number;
            /**
             * Format: int64
             * @description How many have been dropped so far.
             */
            dropped: number;
        };
        JournalFork: {
            world: components["schemas"]["ForkedWorld"];
            /** @description What the world has for an id or address of the journal; what it lacks is left out. */
            twins: {
                [key: string]: string;
            };
            /** @description The change, and everything behind it. */
            steps: components["schemas"]["TwinStep"][];
            /** @description What could not be asked again, and why. */
            left_out: string[];
        };
        JournalForkRequest: {
            /**
             * Format: int64
             * @description Everything before this exchange is done again; then comes the change.
             */
            before: number;
            /** @description Steps of a scenario: `{"advance": 3600}`, `{"price": {"ETH": "2000"}}`, `{"fault": {...}}`, `{"heal": true}`. Ids of the journal stand for what the new world has in their place. */
            change?: {
                [key: string]: unknown;
            }[];
        };
        /** @description Exactly one of `account_id` and `address` must be given. */
        Liquidate: {
            /**
             * @description Liquidates the wallet of this sub-account.
             * @example acc_7hk20wq9z1ab
             */
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
        Mark: {
            /** Format: int64 */
            cursor: number;
            /** @description The service time to which it went. */
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
            /** @description Null for what no request asked for. */
            request_id: string | null;
            /** @description request, answer, plan, signature, transaction, bridge, activity, event, fault, reads (the same read, repeated), or cause (the culprit of a stale plan, at the time when it acted); restore or reset where a life ends: what stands before it was undone by it, as far as it is younger than the snapshot. */
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
            /** @description As `GET /_sim/prices`; null when no node can tell them. */
            prices: {
                [key: string]: string;
            } | null;
            /** @description The keys that are accepted, each of a prime account of its own. */
            api_keys: string[];
            networks: {
                /** @enum {string} */
                network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
                /** Format: int64 */
                chain_id: number;
                ready: boolean;
                /** @description Why it is not ready. */
                error: string | null;
                /** @description The host of the endpoint; null when it is offline. */
                forked_from: string | null;
                /**
                 * Format: int64
                 * @description Null when the node does not answer.
                 */
                height: number | null;
                /** @description Of the latest block. */
                time: string | null;
            }[];
            /** @description Neither executed nor expired, oldest first. */
            plans: {
                plan_id: string;
                account_id: string;
                kind: string;
                created_at: string;
                expires_at: string;
            }[];
        };
        Price: {
            /**
             * @description USD per whole token, from 0.00000001 to 1000000000, with at most 8 decimal places and without an exponent. Anything else is refused, and no price moves.
             * @example 2500
             */
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
            /** @description Ids of the snapshots that are gone by this. */
            dropped: string[];
        };
        /** @description Exactly one of `account_id` and `address` must be given. */
        RewardGrant: {
            /**
             * @description Grants to the wallet of this sub-account.
             * @example acc_7hk20wq9z1ab
             */
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
            /** @description For `svc-sim scenario run`. */
            yaml: string;
            /** @description For vitest, with `svc-sim/vitest`. */
            vitest: string;
            /** @description Exchanges that no scenario can have, and why. */
            left_out: string[];
        };
        /** @description The content of a scenario file. */
        ScenarioContent: {
            [key: string]: unknown;
        };
        ScenarioEntry: {
            /** @description Of its file, without `.yaml`. */
            name: string;
            /**
             * @description `own`: of the folder that was named with `--scenarios`.
             * @enum {string}
             */
            source: "shipped" | "own";
            title: string;
            description: string | null;
            /** @description The parts of a run, in the order in which they are played. */
            steps: string[];
            /** @description What is wrong with the file; then it cannot be played. */
            problem: string | null;
        };
        ScenarioFile: {
            /** @description Of its file, without `.yaml`. */
            name: string;
            /**
             * @description `own`: of the folder that was named with `--scenarios`.
             * @enum {string}
             */
            source: "shipped" | "own";
            title: string;
            description: string | null;
            /** @description The parts of a run, in the order in which they are played. */
            steps: string[];
            /** @description What is wrong with the file; then it cannot be played. */
            problem: string | null;
            yaml: string;
        };
        ScenarioRun: {
            name: string;
            /**
             * Format: int64
             * @description By which `scenario` messages of the stream name it.
             */
            run: number;
            passed: boolean;
            /** @description The part that failed, and why; those behind it were not played. */
            failure: {
                where: string;
                message: string;
            } | null;
            /** @description It only prepares a world: nothing was played or checked. */
            is_prepared: boolean;
            steps: string[];
            /**
             * Format: int64
             * @description How many it sent; the journal has them.
             */
            requests: number;
            /** Format: int64 */
            duration_ms: number;
            /** @description Of the accounts it made, for `GET /_sim/why/{id}`. */
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
            /**
             * @description By which it can be restored as well as by its id.
             * @example funded
             */
            name?: string;
        };
        SnapshotRestored: {
            id: string;
            name: string | null;
            /** @description Service time at which it was taken, ISO 8601. */
            at: string;
            /** @description Ids of the snapshots that are gone by this. */
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
                 * @description So many accounts are not in it: there were too many.
                 */
                accounts_left_out: number;
                /**
                 * Format: int64
                 * @description So many leased worlds are not in it: there was no room.
                 */
                worlds_left_out: number;
            } | null;
        };
        Transaction: {
            /** @enum {string} */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            hash: string;
            /** @enum {string} */
            status: "mined" | "reverted";
            /** Format: int64 */
            block: number;
            at: string;
            gas_used: string;
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
            /** @description Without fees for gas. */
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
            /** @description The word of the scenario file. */
            step: string;
            /**
             * Format: int64
             * @description Of the exchange; null for the change, and for waiting.
             */
            cursor: number | null;
            /** @description Method and URL of the exchange. */
            asked: string | null;
            original: components["schemas"]["ShortAnswer"];
            twin: components["schemas"]["ShortAnswer"];
            /** @description Why it went otherwise, or could not be done. */
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
            /** @description False when exchanges that may belong to it have left the journal, or when there are more moments than are told. */
            is_complete: boolean;
        };
        World: {
            id: string;
            /** @enum {string} */
            state: "leased" | "lost";
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
            /** @description ISO 8601, by the machine’s clock. */
            lease_until: string;
        };
        WorldLease: {
            id: string;
            /** @enum {string} */
            state: "leased" | "lost";
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
            /** @description ISO 8601, by the machine’s clock. */
            lease_until: string;
            /** @description The one key of this world. Told here and in its own `overview`, in no list of worlds. */
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
            /** @description Makes ids the same from world to world; drawn when absent. */
            seed?: number | string;
            /** @description `real`, `auto`, `frozen` or `frozen@TIME`, as `--clock`; `real` when absent. */
            clock?: string;
            /** @description Networks to fork, each as `URL[,URL...]`, with `@BLOCK` or without, or `{url, block}`; the others are offline. */
            fork?: {
                mainnet?: string | {
                    /** @description Endpoints; where one fails, the next. A single one may be text. */
                    url: string[];
                    /** Format: int64 */
                    block?: number;
                };
                base?: string | {
                    /** @description Endpoints; where one fails, the next. A single one may be text. */
                    url: string[];
                    /** Format: int64 */
                    block?: number;
                };
                arbitrum?: string | {
                    /** @description Endpoints; where one fails, the next. A single one may be text. */
                    url: string[];
                    /** Format: int64 */
                    block?: number;
                };
                optimism?: string | {
                    /** @description Endpoints; where one fails, the next. A single one may be text. */
                    url: string[];
                    /** Format: int64 */
                    block?: number;
                };
                polygon?: string | {
                    /** @description Endpoints; where one fails, the next. A single one may be text. */
                    url: string[];
                    /** Format: int64 */
                    block?: number;
                };
            };
            /** @description Folder of a bundle on the simulator’s machine: its networks are forked from there. What it lacks is asked of the endpoints in `fork`, or is an error. */
            bundle?: string;
            /** @description A scenario, as JSON or as YAML text: its world is prepared and its faults are armed. */
            scenario?: string | components["schemas"]["ScenarioContent"];
            /**
             * @description The lease ends so long after it was given or renewed, by the machine’s clock.
             * @default 300
             */
            lease_seconds?: number;
        };
        Worlds: {
            worlds: components["schemas"]["World"][];
            /** Format: int64 */
            leased: number;
            /**
             * Format: int64
             * @description Ready for the next lease.
             */
            warm: number;
            /**
             * Format: int64
             * @description Being started, or begun anew after a lease.
             */
            starting: number;
            /**
             * Format: int64
             * @description Requests for a lease that wait.
             */
            waiting: number;
            /**
             * Format: int64
             * @description `--max-worlds`.
             */
            most: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id under which the simulator’s log knows the request. */
        RequestId: string;
        /** @description The ids of the fault rules that fired at this request, separated by commas. */
        Fault: string;
        /** @description What was wrong and what to do next, when there is something to say. ASCII. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description How things stand. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
                /** @description At most so many. */
                limit?: number;
                /** @description Only those after the one of this account_id. */
                after?: string;
                /** @description Only those in whose ids or addresses this text occurs, in whatever casing: account, prime account, signer, wallet. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, and how many are found in all. */
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
            /** @description `invalid_params`: `limit` is out of bounds, or `after` is not the account_id of one that is found */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `conflict`: the network mines no blocks, or its node does not answer; nothing was given */
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
            /** @description What the wallet is due now and has not had yet, in the smallest unit. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `conflict`: the name is taken, there are 100 already, or a request under way does not end, or a node has lost its snapshot; nothing was changed */
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
            /** @description The snapshot that the system is back at. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `not_found`: there is no such snapshot, or not any more; the message says why */
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
            /** @description The snapshot that was deleted. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `not_found`: there is no such snapshot, or not any more; the message says why */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description The time afterwards. Everything that was due by then has happened, on all chains. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description The time afterwards. Everything that was due by then has happened, on all chains. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `conflict`: work under way does not end, since a fault holds it; nothing has moved */
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
            /** @description The time afterwards. Everything that was due by then has happened, on all chains. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `conflict`: work under way does not end, since a fault holds it; nothing has moved */
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
            /** @description The time afterwards. Everything that was due by then has happened, on all chains. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description The time afterwards. Everything that was due by then has happened, on all chains. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `conflict`: work under way does not end, since a fault holds it; nothing has moved */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `invalid_params`: a rule is malformed, names what does not exist, or can never fire; nothing was changed */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `conflict`: a node that has to answer for it is kept from that by another rule with `chain.down`; nothing was changed */
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
            /** @description `invalid_params`: a rule is malformed, names what does not exist, or can never fire; nothing was changed */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `conflict`: there are 1,000 rules already, or a node that has to answer for it is kept from that by another rule with `chain.down`; nothing was changed */
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
            /** @description The rules there were. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description The rule as it was last. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `conflict`: a chain on which it is to be taken back is held by another rule, with `chain.down` or `chain.halt`; nothing was changed */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description Decimal texts by asset symbol. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description What was liquidated; nothing when everything was safe. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             *     `not_found`: the account has no event of this cursor
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
                /** @description At most so many: with `since` the oldest of them, else the newest. */
                limit?: number;
                /** @description Only those of this account. */
                account_id?: string;
                /** @description Whether to tell how long each took, `took_ms`. Without it, two simulators with the same seed and a frozen clock answer the same. */
                durations?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The exchanges, and where to go on. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
                /** @description Only exchanges up to this cursor. */
                until?: number;
                /** @description Only those of this account, and what was done to the world. */
                account_id?: string;
                /** @description How the scenario is called. */
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
            /** @description `invalid_params`: since, until, account_id or name is malformed */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description The world, and how it went there. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `not_found`: there is no such exchange, or this is a leased world, which has no worlds */
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
            /** @description `conflict`: what was before cannot be done again in an empty world */
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
            /** @description `rate_limited`: there are as many worlds as there may be, and too many requests wait or none was given back in time */
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
            /** @description `fleet_unavailable`: behind a front: the directory of worlds could not be asked for half a minute; worlds in use go on */
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
            query?: never;
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            query?: never;
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
            /**
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description What each is about. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description How it went. */
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
            /** @description `invalid_params`: it is no scenario; the message names lines and paths */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `conflict`: one is being played in this world, or the world cannot be kept in a snapshot */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description How it went; a scenario that fails is an answer, too. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `conflict`: one is being played in this world, or the world cannot be kept in a snapshot */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description The figures. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            query?: never;
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
            /** @description `invalid_params`: a field is malformed, or a world cannot begin so; the message names the field */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `rate_limited`: there are as many worlds as there may be, and too many requests wait or none was given back in time */
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
            /** @description `fleet_unavailable`: behind a front: the directory of worlds could not be asked for half a minute; worlds in use go on */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `not_found`: there is no such world, or not any more */
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
            /** @description The world, as it was. */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `not_found`: there is no such world, or not any more */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
            /** @description `not_found`: there is no such world, or not any more */
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
             * @description `missing_auth_header`: bound to a host beyond loopback: no control token sent
             *
             *     `invalid_api_key`: bound to a host beyond loopback: wrong control token
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
