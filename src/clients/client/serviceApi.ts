// Written by tools/openapi-types from openapi/openapi.json (sha256 7d6412783736038041db38b1213d872c87257ecea45db744f8f98bc54588469f): not to be edited.

export interface paths {
    "/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sub-accounts
         * @description All sub-accounts of the prime account, oldest first. With `limit`, returns one page. For the next page, pass the last `account_id` as `after`.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Create a sub-account
         * @description Creates the sub-account of a signer, with one smart wallet at the same address on every network. A prime account has one sub-account per signer.
         */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sub-account
         * @description One sub-account.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/prime_account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the prime account
         * @description The holder of the API key.
         */
        get: operations["getPrimeAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the networks
         * @description The supported networks. Requests refer to a network by its `name`.
         */
        get: operations["listNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the assets
         * @description A map from symbol to asset, with the token address on each network that has it.
         */
        get: operations["listAssets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/markets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the markets
         * @description The lending markets and vaults of all networks, each with a `protocol` tag.
         */
        get: operations["listMarkets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/folio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the portfolio
         * @description Wallet balances, positions and market data across all networks. Keys are slash-joined paths with lower-case addresses; amounts are `<decimal>e<decimals>` in whole units, rates are fractions.
         */
        get: operations["getFolio"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/folio/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the portfolio
         * @description Sends server-sent events. The first is `snapshot`: an array of `[key, value]` pairs whose keys begin with the section. After each event of the account, and every 30 seconds of the clock, `update` has the changed pairs (null for a removed key). A `: keepalive` comment is sent every 30 seconds of the machine’s time, even when the clock is frozen.
         */
        get: operations["getFolioStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/earn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a deposit into a yield protocol
         * @description Builds a plan that supplies an asset to a lending market or vault of the target network; a native asset is wrapped first.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planEarn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a withdrawal from a yield position
         * @description Builds a plan that withdraws an asset from a lending market or vault of the network to the wallet; a native asset arrives in its wrapped form. `max` withdraws the whole position, including interest up to execution.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planWithdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a transfer out of the wallet
         * @description Builds a plan that sends an asset from the wallet to any address of the network.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/swap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a swap
         * @description Builds a plan that swaps one asset for another at the aggregator’s quote. 0.15 % of the bought amount goes to the fee recipient, in the bought asset; the wallet keeps the rest.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planSwap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/swap-and-supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a swap whose proceeds are deposited
         * @description Builds a plan that swaps one asset for another at the aggregator’s quote, then deposits everything bought, less the fee of 0.15 %, into a yield protocol. The two operations share one transaction. `max` sells everything that can be brought to the network.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planSwapAndSupply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/borrow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a loan against collateral
         * @description Builds a plan that supplies collateral to a market and borrows from it, in one transaction. Too little collateral returns `plan_failed`.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planBorrow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/repay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan the repayment of a loan
         * @description Builds a plan that repays debt and takes collateral out of a market, in one transaction. `max` as amount repays the whole debt, including interest up to execution.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planRepay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/migrate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a move from one yield protocol to another
         * @description Builds a plan that withdraws from one market or vault and deposits exactly what came out into another one of the same network, in one transaction. `max` moves the whole position, including interest up to execution. Rewards are not claimed.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planMigrate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/reinvest_rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan to claim rewards and deposit them
         * @description Builds a plan that claims reward assets on one network, swaps each into the supply asset (less 0.15 %) and deposits all of it, in one transaction. If a reward asset has nothing to claim there, the request returns `plan_failed`. A reward asset that is the supply asset is not swapped.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planReinvestRewards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/claim-rewards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan a claim of rewards
         * @description Builds a plan that claims a reward asset on all networks where it is owed to the wallet, with one signature: COMP of Comet markets, MORPHO of Morpho vaults. If there is nothing to claim, the request returns `plan_failed`.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planClaimRewards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/loop-long": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan to open or increase a leveraged long position
         * @description Builds a plan that buys exposure on the Uniswap V3 pool of `pool_fee`, supplies it as collateral to a Morpho Blue market, and pays with provided and borrowed backing. A cost beyond `max_swap_backing_amount`, or a loan that the market does not allow, returns `plan_failed`. The plan buys a fee of 0.04 % on top of the exposure.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planLoopLong"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/unloop-long": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan to reduce or close a leveraged long position
         * @description Builds a plan that sells exposure on the Uniswap V3 pool of `pool_fee` and repays the loan on Morpho Blue with the proceeds. `max` closes the position. A fee of 0.04 % of `min_swap_backing_amount` is paid out of the backing.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planUnloopLong"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/add-backing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan to add backing to a position
         * @description Builds a plan that adds backing to a position on Morpho Blue. For a long position it repays debt; for a short one it is supplied as collateral. `max` adds everything available, for a long position at most the debt.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planAddBacking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/withdraw-backing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan to withdraw backing from a position
         * @description Builds a plan that takes backing out of a position on Morpho Blue. A long position borrows more; a short one withdraws collateral (`max`: all of it). This raises the risk of liquidation. More than the market allows returns `plan_failed`.
         *
         *     The plan must be executed within 2 minutes. Creating it changes nothing on chain.
         */
        post: operations["planWithdrawBacking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/plan/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a plan
         * @description Submits the operations of a plan with the signature of the account’s signer. Follow the outcome with the activity id. A plan can be executed once.
         */
        post: operations["executePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/activities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the activities of a sub-account
         * @description All activities, newest first. An activity is created by executing a plan.
         */
        get: operations["listActivities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/activities/{activity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an activity of a sub-account
         * @description One activity of the sub-account.
         */
        get: operations["getAccountActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/activities/{activity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an activity
         * @description One activity of any sub-account of the prime account.
         */
        get: operations["getActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read or await events
         * @description Events of the sub-account, oldest first. Pass the returned `cursor` as `since` in the next request. An empty response repeats the `since` of the request (0 without one).
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the process up?
         * @description Responds as soon as the process listens.
         */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Are all networks up?
         * @description Asks every node for its chain id.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where to look
         * @description The paths to start with.
         */
        get: operations["getEntryPoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The OpenAPI document as JSON
         * @description This document. `/docs` shows it in a browser.
         */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi-3.0.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The OpenAPI 3.0 document as JSON
         * @description The same in OpenAPI 3.0, for tools that do not read 3.1.
         */
        get: operations["getOpenapi30"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The OpenAPI document as YAML
         * @description The same document as `/openapi.json`.
         */
        get: operations["getOpenapiYaml"];
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
        AaveMarket: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            protocol: "aave_market";
            /** Format: int64 */
            chain_id: number;
            name: string;
            pool: `0x${string}`;
            ui_pool_data_provider: `0x${string}`;
            /** @description The currency that the pool counts in. */
            market_base_currency: string;
            /** @description The scale of the pool’s rates: 10^27. */
            ray_scale: number;
            /** @description The scale of its factors: 10^4. */
            bps_scale: number;
            reserves: {
                symbol: string;
                decimals: number;
                underlying_asset: `0x${string}`;
            }[];
        };
        AaveSupplyAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "AAVE_SUPPLY";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                aave_pool: `0x${string}`;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                aave_pool?: `0x${string}`;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
            };
        };
        AaveSupplyContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "AAVE_SUPPLY";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            aave_pool: `0x${string}`;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
        };
        AaveSupplyEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "aave_supply";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                aave_pool: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        AaveSupplyStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "AAVE_SUPPLY";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                aave_pool: `0x${string}`;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
            };
        };
        AaveWithdrawAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "AAVE_WITHDRAW";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                aave_pool: `0x${string}`;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                aave_pool?: `0x${string}`;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
            };
        };
        AaveWithdrawContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "AAVE_WITHDRAW";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            aave_pool: `0x${string}`;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
        };
        AaveWithdrawEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "aave_withdraw";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                aave_pool: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        AaveWithdrawStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "AAVE_WITHDRAW";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                aave_pool: `0x${string}`;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
            };
        };
        Account: {
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
        };
        /** @description What an operation does. All numbers are decimal strings. */
        ActionContext: components["schemas"]["TransferContext"] | components["schemas"]["CometSupplyContext"] | components["schemas"]["CometWithdrawContext"] | components["schemas"]["AaveSupplyContext"] | components["schemas"]["AaveWithdrawContext"] | components["schemas"]["MorphoVaultSupplyContext"] | components["schemas"]["MorphoVaultWithdrawContext"] | components["schemas"]["CometBorrowContext"] | components["schemas"]["CometRepayContext"] | components["schemas"]["MorphoBorrowContext"] | components["schemas"]["MorphoRepayContext"] | components["schemas"]["SwapContext"] | components["schemas"]["WrapContext"] | components["schemas"]["UnwrapContext"] | components["schemas"]["ClaimRewardsContext"] | components["schemas"]["LoopLongContext"] | components["schemas"]["UnloopLongContext"] | components["schemas"]["AddBackingTokenContext"] | components["schemas"]["WithdrawBackingTokenContext"] | components["schemas"]["BridgeContext"] | components["schemas"]["BridgeMintContext"] | components["schemas"]["BridgeRefundContext"] | components["schemas"]["InboundTransferContext"] | components["schemas"]["CometLiquidationContext"] | components["schemas"]["MorphoLiquidationContext"];
        Activity: {
            /**
             * Format: int64
             * @description Increases over all activities. Paths accept it like `activity_id`.
             */
            id: number;
            activity_id: string;
            account_id: string;
            plan_id: string | null;
            svc_intent_id: string | null;
            svc_intent?: components["schemas"]["SvcIntent"];
            /**
             * @description `svc_operation_executed`: an executed plan; `exogenous`: an event from outside.
             * @enum {string}
             */
            activity_type: "svc_operation_executed" | "exogenous";
            /** @enum {string} */
            activity_status: "pending" | "confirmed" | "failed";
            /**
             * @description The same as `activity_status`, with the values of newer clients.
             * @enum {string}
             */
            status: "pending" | "completed" | "failed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            occurred_at: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updated_at: string;
            /** @description One item per operation or outside event; for older clients. */
            activity_metadata: components["schemas"]["ActivityItem"][];
            /** @description One element per transaction with all its actions, and one per outside event; for newer clients. */
            executions: components["schemas"]["ActivityExecution"][];
        };
        ActivityExecution: {
            /**
             * @description `transaction`: of the plan; `external`: from outside, such as a bridge’s fill.
             * @enum {string}
             */
            execution_type: "transaction" | "external";
            /** Format: int64 */
            chain_id: number;
            transaction_hash: `0x${string}` | null;
            /** @enum {string} */
            status: "pending" | "executed" | "failed";
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            executed_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            reverted_at: string | null;
            actions: components["schemas"]["ExecutedAction"][];
        };
        ActivityItem: {
            /**
             * @description `unexecuted`: signed and not mined; `exogenous`: from outside, such as a bridge’s fill.
             * @enum {string}
             */
            activity_record_type: "executed" | "unexecuted" | "exogenous";
            /** @description Null while it is pending. */
            success: boolean | null;
            /** Format: int64 */
            chain_id: number;
            transaction_hash: `0x${string}` | null;
            svc_wallet_address: `0x${string}`;
            /** Format: int64 */
            svc_wallet_id: number;
            /**
             * Format: int64
             * @description Null for outside events.
             */
            svc_operation_id: number | null;
            /**
             * Format: int64
             * @description The same for all operations of one transaction.
             */
            svc_execution_id: number | null;
            svc_operation_nonce: `0x${string}` | null;
            /** @description Relay hash of a bridge fill or refund. */
            relay_hash?: `0x${string}`;
            from: `0x${string}` | null;
            to: `0x${string}` | null;
            action_type: string;
            action_context: components["schemas"]["ActionContext"];
            semantic_events: components["schemas"]["SemanticEvent"][];
            /**
             * @description The relayer pays.
             * @enum {string}
             */
            payment_method: "sponsored";
            /**
             * Format: int64
             * @description Unix seconds.
             */
            expiry: number | null;
            gas_used: string | null;
            gas_price: string | null;
            gas_overhead: string;
            /** @description Empty: the simulator estimates no gas. */
            gas_estimate: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            executed_at: string | null;
            /** Format: int64 */
            executed_at_block_number: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            reverted_at: string | null;
            revert_reason: string | null;
            /** @description Selector of the error. */
            revert_signature: `0x${string}` | null;
            /** @description The arguments of the error. */
            revert_values: string[] | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            updated_at: string;
        };
        AddBackingIntent: {
            /**
             * @description Asset of the exposure.
             * @example WETH
             */
            exposure_asset: string;
            /**
             * @description Asset of the backing.
             * @example USDC
             */
            backing_asset: string;
            /**
             * @description The Morpho Blue market of the position.
             * @example 0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda
             */
            market_id: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Amount of backing, in its smallest unit. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            amount: string;
            /**
             * @description Whether the position is short.
             * @example false
             */
            is_short: boolean;
        };
        AddBackingTokenAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "ADD_BACKING_TOKEN";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                backing_asset_symbol: string;
                backing_token: `0x${string}`;
                backing_token_price: components["schemas"]["Usd"];
                borrow_market_id: `0x${string}`;
                borrow_venue: string;
                exposure_asset_symbol: string;
                exposure_token: `0x${string}`;
                exposure_token_price: components["schemas"]["Usd"];
                is_short: boolean;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                backing_asset_symbol?: string;
                backing_token?: `0x${string}`;
                backing_token_price?: components["schemas"]["Usd"];
                borrow_market_id?: `0x${string}`;
                borrow_venue?: string;
                exposure_asset_symbol?: string;
                exposure_token?: `0x${string}`;
                exposure_token_price?: components["schemas"]["Usd"];
                is_short?: boolean;
            };
        };
        AddBackingTokenContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "ADD_BACKING_TOKEN";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            backing_asset_symbol: string;
            backing_token: `0x${string}`;
            backing_token_price: components["schemas"]["UsdE8"];
            borrow_market_id: `0x${string}`;
            borrow_venue: string;
            exposure_asset_symbol: string;
            exposure_token: `0x${string}`;
            exposure_token_price: components["schemas"]["UsdE8"];
            is_short: boolean;
        };
        AddBackingTokenStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "ADD_BACKING_TOKEN";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                backing_asset_symbol: string;
                backing_token: `0x${string}`;
                backing_token_price: components["schemas"]["UsdE8"];
                borrow_market_id: `0x${string}`;
                borrow_venue: string;
                exposure_asset_symbol: string;
                exposure_token: `0x${string}`;
                exposure_token_price: components["schemas"]["UsdE8"];
                is_short: boolean;
            };
        };
        AddBackingTokenSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "add_backing_token";
            intent: components["schemas"]["AddBackingTokenSvcIntentData"];
        };
        AddBackingTokenSvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            sender: `0x${string}`;
            exposure_asset_symbol: string;
            backing_asset_symbol: string;
            market_id: `0x${string}`;
            amount: string;
            is_short: boolean;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        AddBackingToLoopEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "add_backing_to_loop";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                borrow_market_id: `0x${string}`;
                borrow_venue: string;
                backing_token: `0x${string}`;
                backing_amount: components["schemas"]["Amount"];
                backing_dollar_value: components["schemas"]["UsdE8"];
                exposure_token: `0x${string}`;
                is_short: boolean;
            };
        };
        /** @description In the smallest unit. */
        Amount: string;
        Asset: {
            name: string;
            decimals: number;
            networks: {
                [key: string]: {
                    /** Format: int64 */
                    chain_id: number;
                    /** @description Lower case; `0xeeee…eeee` for the native token. */
                    address: `0x${string}`;
                    native: boolean;
                };
            };
        };
        BorrowIntent: {
            /**
             * @description Amount to borrow, in the asset’s smallest unit.
             * @example 1000000
             */
            amount: string;
            /**
             * @description Amount of collateral to supply, in its smallest unit; `0` borrows against the collateral already in the position. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            collateral_amount: string;
            /**
             * @description Asset of the debt; a native asset means its wrapped form.
             * @example USDC
             */
            asset: string;
            /**
             * @description Collateral asset; a native asset is wrapped first.
             * @example WETH
             */
            collateral_asset: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Lending protocol.
             * @example compound
             * @enum {string}
             */
            protocol: "compound" | "morpho";
            /**
             * @description Market id; required for `morpho`. For `compound` the market is the one whose base asset is `asset`.
             * @example 0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda
             */
            market?: string;
        };
        BridgeAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "BRIDGE";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                bridge_type: string;
                recipient: `0x${string}`;
                token: `0x${string}`;
                destination_asset_symbol: string;
                /** Format: int64 */
                destination_chain_id: number;
                input_amount: components["schemas"]["Amount"];
                output_amount: components["schemas"]["Amount"];
                price: components["schemas"]["Usd"];
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                bridge_type?: string;
                recipient?: `0x${string}`;
                token?: `0x${string}`;
                destination_asset_symbol?: string;
                /** Format: int64 */
                destination_chain_id?: number;
                input_amount?: components["schemas"]["Amount"];
                output_amount?: components["schemas"]["Amount"];
                price?: components["schemas"]["Usd"];
            };
        };
        BridgeContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "BRIDGE";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            bridge_type: string;
            recipient: `0x${string}`;
            token: `0x${string}`;
            destination_asset_symbol: string;
            destination_chain_id: string;
            input_amount: components["schemas"]["Amount"];
            output_amount: components["schemas"]["Amount"];
            price: components["schemas"]["UsdE8"];
        };
        BridgeMintAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "BRIDGE_MINT";
            expected_values: {
                bridge_type: string;
                recipient: `0x${string}`;
                token: `0x${string}`;
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                input_amount: components["schemas"]["Amount"];
                max_fee: components["schemas"]["Amount"];
                output_amount: components["schemas"]["Amount"];
                /** Format: int64 */
                source_chain_id: number;
            };
            observed_values: {
                bridge_type?: string;
                recipient?: `0x${string}`;
                token?: `0x${string}`;
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                input_amount?: components["schemas"]["Amount"];
                max_fee?: components["schemas"]["Amount"];
                output_amount?: components["schemas"]["Amount"];
                /** Format: int64 */
                source_chain_id?: number;
            };
        };
        BridgeMintContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "BRIDGE_MINT";
            bridge_type: string;
            recipient: `0x${string}`;
            token: `0x${string}`;
            asset_symbol: string;
            chain_id: string;
            input_amount: components["schemas"]["Amount"];
            max_fee: components["schemas"]["Amount"];
            output_amount: components["schemas"]["Amount"];
            source_chain_id: string;
        };
        BridgeMintStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "BRIDGE_MINT";
            action_context: {
                bridge_type: string;
                recipient: `0x${string}`;
                token: `0x${string}`;
                asset_symbol: string;
                chain_id: string;
                input_amount: components["schemas"]["Amount"];
                max_fee: components["schemas"]["Amount"];
                output_amount: components["schemas"]["Amount"];
                source_chain_id: string;
            };
        };
        BridgeReceiveEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "bridge_receive";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
                dst_chain: string;
                bridge_fees: components["schemas"]["Amount"];
                bridge_fees_dollar_value: components["schemas"]["UsdE8"];
                bridge: string;
            };
        };
        BridgeRefundAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "BRIDGE_REFUND";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                bridge_type: string;
                recipient: `0x${string}`;
                token: `0x${string}`;
                /** Format: int64 */
                destination_chain_id: number;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                bridge_type?: string;
                recipient?: `0x${string}`;
                token?: `0x${string}`;
                /** Format: int64 */
                destination_chain_id?: number;
            };
        };
        BridgeRefundContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "BRIDGE_REFUND";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            bridge_type: string;
            recipient: `0x${string}`;
            token: `0x${string}`;
            destination_chain_id: string;
        };
        BridgeRefundEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "bridge_refund";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
                src_chain: string;
                dst_chain: string;
                bridge: string;
                deposit_id: components["schemas"]["Amount"];
            };
        };
        BridgeRefundStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "BRIDGE_REFUND";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                bridge_type: string;
                recipient: `0x${string}`;
                token: `0x${string}`;
                destination_chain_id: string;
            };
        };
        BridgeSendEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "bridge_send";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
                src_chain: string;
                dst_chain: string;
                bridge_fees: components["schemas"]["Amount"];
                bridge_fees_dollar_value: components["schemas"]["UsdE8"];
                bridge: string;
                deposit_id: components["schemas"]["Amount"];
            };
        };
        BridgeStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "BRIDGE";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                bridge_type: string;
                recipient: `0x${string}`;
                token: `0x${string}`;
                destination_asset_symbol: string;
                destination_chain_id: string;
                input_amount: components["schemas"]["Amount"];
                output_amount: components["schemas"]["Amount"];
                price: components["schemas"]["UsdE8"];
            };
        };
        ClaimRewardsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "CLAIM_REWARDS";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                amounts: components["schemas"]["Amount"][];
                asset_symbols: string[];
                prices: components["schemas"]["Usd"][];
                tokens: `0x${string}`[];
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                amounts?: components["schemas"]["Amount"][];
                asset_symbols?: string[];
                prices?: components["schemas"]["Usd"][];
                tokens?: `0x${string}`[];
            };
        };
        ClaimRewardsContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "CLAIM_REWARDS";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            amounts: components["schemas"]["Amount"][];
            asset_symbols: string[];
            prices: components["schemas"]["UsdE8"][];
            tokens: `0x${string}`[];
        };
        ClaimRewardsIntent: {
            /**
             * @description Reward asset to claim.
             * @example COMP
             */
            asset: string;
        };
        ClaimRewardsStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "CLAIM_REWARDS";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                amounts: components["schemas"]["Amount"][];
                asset_symbols: string[];
                prices: components["schemas"]["UsdE8"][];
                tokens: `0x${string}`[];
            };
        };
        ClaimRewardsSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "claim_rewards";
            intent: components["schemas"]["ClaimRewardsSvcIntentData"];
        };
        ClaimRewardsSvcIntentData: {
            claimer: `0x${string}`;
            asset_symbol: string;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        CometBorrowAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_BORROW";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                collateral_amounts: components["schemas"]["Amount"][];
                collateral_asset_symbols: string[];
                collateral_token_prices: components["schemas"]["Usd"][];
                collateral_tokens: `0x${string}`[];
                comet: `0x${string}`;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                collateral_amounts?: components["schemas"]["Amount"][];
                collateral_asset_symbols?: string[];
                collateral_token_prices?: components["schemas"]["Usd"][];
                collateral_tokens?: `0x${string}`[];
                comet?: `0x${string}`;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
            };
        };
        CometBorrowContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_BORROW";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            collateral_amounts: components["schemas"]["Amount"][];
            collateral_asset_symbols: string[];
            collateral_token_prices: components["schemas"]["UsdE8"][];
            collateral_tokens: `0x${string}`[];
            comet: `0x${string}`;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
        };
        CometBorrowEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "comet_borrow";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                comet: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        CometBorrowStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_BORROW";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                collateral_amounts: components["schemas"]["Amount"][];
                collateral_asset_symbols: string[];
                collateral_token_prices: components["schemas"]["UsdE8"][];
                collateral_tokens: `0x${string}`[];
                comet: `0x${string}`;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
            };
        };
        CometBorrowSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "comet_borrow";
            intent: components["schemas"]["CometBorrowSvcIntentData"];
        };
        CometBorrowSvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            asset_symbol: string;
            token: `0x${string}`;
            amount: string;
            collateral_amount: string;
            collateral_asset_symbol: string;
            comet: `0x${string}`;
            borrower: `0x${string}`;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        CometClaimRewardEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "comet_claim_reward";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
                rewards_contract: `0x${string}`;
            };
        };
        CometLiquidationAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_LIQUIDATION";
            expected_values: {
                /** Format: int64 */
                chain_id: number;
            };
            observed_values: {
                /** Format: int64 */
                chain_id?: number;
                repaid_tokens?: `0x${string}`[];
                repaid_amounts?: components["schemas"]["Amount"][];
                seized_tokens?: `0x${string}`[];
                seized_amounts?: components["schemas"]["Amount"][];
            };
        };
        CometLiquidationBasePaidOutEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "comet_liquidation_base_paid_out";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                comet: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        CometLiquidationCollateralAbsorbedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "comet_liquidation_collateral_absorbed";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                comet: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        CometLiquidationContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_LIQUIDATION";
            chain_id: string;
        };
        CometLiquidationStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_LIQUIDATION";
            action_context: {
                chain_id: string;
            };
        };
        CometMarket: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            protocol: "comet";
            /** Format: int64 */
            chain_id: number;
            name: string;
            symbol: string;
            base_asset: `0x${string}`;
            /** @description The scale of factors and rates: 10^18. */
            factor_scale: number;
            comet_address: `0x${string}`;
            rewards_address: `0x${string}`;
            collateral_assets: {
                asset: `0x${string}`;
                price_feed: `0x${string}`;
            }[];
        };
        CometRepayAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_REPAY";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                collateral_amounts: components["schemas"]["Amount"][];
                collateral_asset_symbols: string[];
                collateral_token_prices: components["schemas"]["Usd"][];
                collateral_tokens: `0x${string}`[];
                comet: `0x${string}`;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                collateral_amounts?: components["schemas"]["Amount"][];
                collateral_asset_symbols?: string[];
                collateral_token_prices?: components["schemas"]["Usd"][];
                collateral_tokens?: `0x${string}`[];
                comet?: `0x${string}`;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
            };
        };
        CometRepayContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_REPAY";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            collateral_amounts: components["schemas"]["Amount"][];
            collateral_asset_symbols: string[];
            collateral_token_prices: components["schemas"]["UsdE8"][];
            collateral_tokens: `0x${string}`[];
            comet: `0x${string}`;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
        };
        CometRepayEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "comet_repay";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                comet: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        CometRepayStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_REPAY";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                collateral_amounts: components["schemas"]["Amount"][];
                collateral_asset_symbols: string[];
                collateral_token_prices: components["schemas"]["UsdE8"][];
                collateral_tokens: `0x${string}`[];
                comet: `0x${string}`;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
            };
        };
        CometRepaySvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "comet_repay";
            intent: components["schemas"]["CometRepaySvcIntentData"];
        };
        CometRepaySvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            asset_symbol: string;
            token: `0x${string}`;
            amount: string;
            collateral_amount: string;
            collateral_asset_symbol: string;
            comet: `0x${string}`;
            repayer: `0x${string}`;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        CometSupplyAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_SUPPLY";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                comet: `0x${string}`;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                comet?: `0x${string}`;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
            };
        };
        CometSupplyBaseEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "comet_supply_base";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                comet: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        CometSupplyCollateralEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "comet_supply_collateral";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                comet: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        CometSupplyContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_SUPPLY";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            comet: `0x${string}`;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
        };
        CometSupplyStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_SUPPLY";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                comet: `0x${string}`;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
            };
        };
        CometWithdrawAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_WITHDRAW";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                comet: `0x${string}`;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                comet?: `0x${string}`;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
            };
        };
        CometWithdrawBaseEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "comet_withdraw_base";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                comet: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        CometWithdrawCollateralEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "comet_withdraw_collateral";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                comet: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        CometWithdrawContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_WITHDRAW";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            comet: `0x${string}`;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
        };
        CometWithdrawStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "COMET_WITHDRAW";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                comet: `0x${string}`;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
            };
        };
        CompounderSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "compounder";
            intent: components["schemas"]["CompounderSvcIntentData"];
        };
        CompounderSvcIntentData: {
            claim_rewards_intents: components["schemas"]["SvcRewardClaim"][];
            swap_intents: components["schemas"]["SvcSwap"][];
            supply_intent: components["schemas"]["SvcSupply"];
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        CreateAccount: {
            /** @enum {string} */
            signer_type: "eoa";
            signer_address: string;
        };
        EarnIntent: {
            /**
             * @description Amount to deposit, in the asset’s smallest unit. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            amount: string;
            /**
             * @description Asset to deposit.
             * @example USDC
             */
            asset: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Yield protocol. `morpho` means vaults like `morpho_vault`, but does not require `market`: without it, the plan uses the first vault of the asset in `GET /markets`.
             * @example compound
             * @enum {string}
             */
            protocol: "compound" | "aave" | "morpho_vault" | "morpho";
            /**
             * @description Market address: the vault’s address when protocol names vaults, required with `morpho_vault`. Compound and Aave have one market per asset, so it may be left out.
             * @example 0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca
             */
            market?: string;
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
        /** @description `observed_values` has the fields of `expected_values`, with amounts from the logs. It is empty until the action has run, and when it failed. Amounts are decimal strings because JSON numbers beyond 2^53 lose precision. */
        ExecutedAction: components["schemas"]["TransferAction"] | components["schemas"]["CometSupplyAction"] | components["schemas"]["CometWithdrawAction"] | components["schemas"]["AaveSupplyAction"] | components["schemas"]["AaveWithdrawAction"] | components["schemas"]["MorphoVaultSupplyAction"] | components["schemas"]["MorphoVaultWithdrawAction"] | components["schemas"]["CometBorrowAction"] | components["schemas"]["CometRepayAction"] | components["schemas"]["MorphoBorrowAction"] | components["schemas"]["MorphoRepayAction"] | components["schemas"]["SwapAction"] | components["schemas"]["WrapAction"] | components["schemas"]["UnwrapAction"] | components["schemas"]["ClaimRewardsAction"] | components["schemas"]["LoopLongAction"] | components["schemas"]["UnloopLongAction"] | components["schemas"]["AddBackingTokenAction"] | components["schemas"]["WithdrawBackingTokenAction"] | components["schemas"]["BridgeAction"] | components["schemas"]["BridgeMintAction"] | components["schemas"]["BridgeRefundAction"] | components["schemas"]["InboundTransferAction"] | components["schemas"]["CometLiquidationAction"] | components["schemas"]["MorphoLiquidationAction"];
        ExecutePlan: {
            plan_id: string;
            /** @description Signature of `details.eip712_data.digest` by the signer: 0x, r, s, v. */
            signature: string;
        };
        ExecutionResult: {
            plan_id: string;
            svc_intent_id: string;
            activity_id: string;
            /** @enum {string} */
            status: "executing";
        };
        ExogenousStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "exogenous";
            /** @enum {string} */
            execution_type: "bridge_receive";
            chain_id: string;
            expected_actions: components["schemas"]["ExpectedAction"][];
            /** @description Positions in the list of the steps that must come first. */
            depends_on: number[];
        };
        ExpectedAction: components["schemas"]["TransferStep"] | components["schemas"]["CometSupplyStep"] | components["schemas"]["CometWithdrawStep"] | components["schemas"]["AaveSupplyStep"] | components["schemas"]["AaveWithdrawStep"] | components["schemas"]["MorphoVaultSupplyStep"] | components["schemas"]["MorphoVaultWithdrawStep"] | components["schemas"]["CometBorrowStep"] | components["schemas"]["CometRepayStep"] | components["schemas"]["MorphoBorrowStep"] | components["schemas"]["MorphoRepayStep"] | components["schemas"]["SwapStep"] | components["schemas"]["WrapStep"] | components["schemas"]["UnwrapStep"] | components["schemas"]["ClaimRewardsStep"] | components["schemas"]["LoopLongStep"] | components["schemas"]["UnloopLongStep"] | components["schemas"]["AddBackingTokenStep"] | components["schemas"]["WithdrawBackingTokenStep"] | components["schemas"]["BridgeStep"] | components["schemas"]["BridgeMintStep"] | components["schemas"]["BridgeRefundStep"] | components["schemas"]["InboundTransferStep"] | components["schemas"]["CometLiquidationStep"] | components["schemas"]["MorphoLiquidationStep"];
        Folio: {
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
        InboundTransferAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "INBOUND_TRANSFER";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
                recipient: `0x${string}`;
                sender: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
                recipient?: `0x${string}`;
                sender?: `0x${string}`;
            };
        };
        InboundTransferContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "INBOUND_TRANSFER";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
            recipient: `0x${string}`;
            sender: `0x${string}`;
        };
        InboundTransferEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "inbound_transfer";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
                sender: `0x${string}`;
            };
        };
        InboundTransferStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "INBOUND_TRANSFER";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
                recipient: `0x${string}`;
                sender: `0x${string}`;
            };
        };
        LoopLongAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "LOOP_LONG";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                backing_asset_symbol: string;
                backing_token: `0x${string}`;
                backing_token_price: components["schemas"]["Usd"];
                borrow_market_id: `0x${string}`;
                borrow_venue: string;
                exposure_asset_symbol: string;
                exposure_token: `0x${string}`;
                exposure_token_price: components["schemas"]["Usd"];
                exposure_amount: components["schemas"]["Amount"];
                fee_amount: components["schemas"]["Amount"];
                fee_asset_symbol: string;
                fee_token: `0x${string}`;
                fee_token_price: components["schemas"]["Usd"];
                swap_venue: string;
                is_increase: boolean;
                max_provided_backing_amount: components["schemas"]["Amount"];
                max_swap_backing_amount: components["schemas"]["Amount"];
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                backing_asset_symbol?: string;
                backing_token?: `0x${string}`;
                backing_token_price?: components["schemas"]["Usd"];
                borrow_market_id?: `0x${string}`;
                borrow_venue?: string;
                exposure_asset_symbol?: string;
                exposure_token?: `0x${string}`;
                exposure_token_price?: components["schemas"]["Usd"];
                exposure_amount?: components["schemas"]["Amount"];
                fee_amount?: components["schemas"]["Amount"];
                fee_asset_symbol?: string;
                fee_token?: `0x${string}`;
                fee_token_price?: components["schemas"]["Usd"];
                swap_venue?: string;
                is_increase?: boolean;
                max_provided_backing_amount?: components["schemas"]["Amount"];
                max_swap_backing_amount?: components["schemas"]["Amount"];
            };
        };
        LoopLongContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "LOOP_LONG";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            backing_asset_symbol: string;
            backing_token: `0x${string}`;
            backing_token_price: components["schemas"]["UsdE8"];
            borrow_market_id: `0x${string}`;
            borrow_venue: string;
            exposure_asset_symbol: string;
            exposure_token: `0x${string}`;
            exposure_token_price: components["schemas"]["UsdE8"];
            exposure_amount: components["schemas"]["Amount"];
            fee_amount: components["schemas"]["Amount"];
            fee_asset_symbol: string;
            fee_token: `0x${string}`;
            fee_token_price: components["schemas"]["UsdE8"];
            swap_venue: string;
            is_increase: boolean;
            max_provided_backing_amount: components["schemas"]["Amount"];
            max_swap_backing_amount: components["schemas"]["Amount"];
        };
        LoopLongEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "loop_long";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                borrow_market_id: `0x${string}`;
                backing_token: `0x${string}`;
                backing_amount: components["schemas"]["Amount"];
                backing_dollar_value: components["schemas"]["UsdE8"];
                exposure_token: `0x${string}`;
                exposure_amount: components["schemas"]["Amount"];
                exposure_dollar_value: components["schemas"]["UsdE8"];
                swap_input_token: `0x${string}`;
                swap_input_amount: components["schemas"]["Amount"];
                swap_input_dollar_value: components["schemas"]["UsdE8"];
                swap_output_token: `0x${string}`;
                swap_output_amount: components["schemas"]["Amount"];
                swap_output_dollar_value: components["schemas"]["UsdE8"];
                swap_venue: string;
                borrow_venue: string;
            };
        };
        LoopLongIntent: {
            /**
             * @description Asset of the exposure.
             * @example WETH
             */
            exposure_asset: string;
            /**
             * @description Asset of the backing.
             * @example USDC
             */
            backing_asset: string;
            /**
             * @description The Morpho Blue market of the position.
             * @example 0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda
             */
            market_id: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description True opens a position or increases one; false adjusts an existing one.
             * @example true
             */
            is_increase: boolean;
            /**
             * @description Exposure to reach by this plan: bought and supplied as collateral, in its smallest unit. `max` or 2^256-1 is refused with 400 `plan_failed`: only an exact amount can be bought.
             * @example 1000000
             */
            exposure_amount: string;
            /**
             * @description Maximum backing that the swap may cost. `max` or 2^256-1 sets no limit.
             * @example 1000000
             */
            max_swap_backing_amount: string;
            /**
             * @description Part of the cost that the wallet pays in backing, at most `max_swap_backing_amount`; the rest is borrowed. An exact amount must be available. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            max_provided_backing_amount: string;
            /**
             * @description Fee tier of the Uniswap V3 pool in hundredths of a basis point: 500 is 0.05 %, 3000 is 0.3 %, 10000 is 1 %.
             * @example 500
             */
            pool_fee: number;
        };
        LoopLongStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "LOOP_LONG";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                backing_asset_symbol: string;
                backing_token: `0x${string}`;
                backing_token_price: components["schemas"]["UsdE8"];
                borrow_market_id: `0x${string}`;
                borrow_venue: string;
                exposure_asset_symbol: string;
                exposure_token: `0x${string}`;
                exposure_token_price: components["schemas"]["UsdE8"];
                exposure_amount: components["schemas"]["Amount"];
                fee_amount: components["schemas"]["Amount"];
                fee_asset_symbol: string;
                fee_token: `0x${string}`;
                fee_token_price: components["schemas"]["UsdE8"];
                swap_venue: string;
                is_increase: boolean;
                max_provided_backing_amount: components["schemas"]["Amount"];
                max_swap_backing_amount: components["schemas"]["Amount"];
            };
        };
        LoopLongSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "loop_long";
            intent: components["schemas"]["LoopLongSvcIntentData"];
        };
        LoopLongSvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            sender: `0x${string}`;
            exposure_asset_symbol: string;
            backing_asset_symbol: string;
            market_id: `0x${string}`;
            is_increase: boolean;
            exposure_amount: string;
            max_swap_backing_amount: string;
            max_provided_backing_amount: string;
            /** Format: int64 */
            pool_fee: number;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        Market: components["schemas"]["CometMarket"] | components["schemas"]["MorphoMarket"] | components["schemas"]["VaultMarket"] | components["schemas"]["AaveMarket"];
        MigrateIntent: {
            /**
             * @description Amount to withdraw from the source, in the asset’s smallest unit. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            amount: string;
            /**
             * @description Asset to migrate.
             * @example USDC
             */
            asset: string;
            /**
             * @description Protocol to withdraw from.
             * @example compound
             * @enum {string}
             */
            from_protocol: "compound" | "aave" | "morpho_vault";
            /**
             * @description Protocol to deposit into.
             * @example aave
             * @enum {string}
             */
            to_protocol: "compound" | "aave" | "morpho_vault";
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Market address: the vault’s address when from_protocol names vaults, required with `morpho_vault`. Compound and Aave have one market per asset, so it may be left out.
             * @example 0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca
             */
            from_market?: string;
            /**
             * @description Market address: the vault’s address when to_protocol names vaults, required with `morpho_vault`. Compound and Aave have one market per asset, so it may be left out.
             * @example 0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca
             */
            to_market?: string;
            /**
             * @description When true, the wallet’s own balance of the asset stays in the wallet. When false, all of that balance on this network is deposited together with the withdrawn amount.
             * @default false
             * @example true
             */
            migrate_only_supply_balances?: boolean;
        };
        MigrateSuppliesSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "migrate_supplies";
            intent: components["schemas"]["MigrateSuppliesSvcIntentData"];
        };
        MigrateSuppliesSvcIntentData: {
            withdraw_intents: components["schemas"]["SvcWithdrawal"][];
            supply_intent: components["schemas"]["SvcSupply"];
            migrate_only_supply_balances: boolean;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        MorphoBorrowAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_BORROW";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                collateral_amount: components["schemas"]["Amount"];
                collateral_asset_symbol: string;
                collateral_token: `0x${string}`;
                collateral_token_price: components["schemas"]["Usd"];
                morpho: `0x${string}`;
                morpho_market_id: `0x${string}`;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                collateral_amount?: components["schemas"]["Amount"];
                collateral_asset_symbol?: string;
                collateral_token?: `0x${string}`;
                collateral_token_price?: components["schemas"]["Usd"];
                morpho?: `0x${string}`;
                morpho_market_id?: `0x${string}`;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
            };
        };
        MorphoBorrowContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_BORROW";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            collateral_amount: components["schemas"]["Amount"];
            collateral_asset_symbol: string;
            collateral_token: `0x${string}`;
            collateral_token_price: components["schemas"]["UsdE8"];
            morpho: `0x${string}`;
            morpho_market_id: `0x${string}`;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
        };
        MorphoBorrowEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "morpho_borrow";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                morpho: `0x${string}`;
                morpho_market_id: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        MorphoBorrowStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_BORROW";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                collateral_amount: components["schemas"]["Amount"];
                collateral_asset_symbol: string;
                collateral_token: `0x${string}`;
                collateral_token_price: components["schemas"]["UsdE8"];
                morpho: `0x${string}`;
                morpho_market_id: `0x${string}`;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
            };
        };
        MorphoBorrowSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "morpho_borrow";
            intent: components["schemas"]["MorphoBorrowSvcIntentData"];
        };
        MorphoBorrowSvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            asset_symbol: string;
            token: `0x${string}`;
            amount: string;
            collateral_amount: string;
            collateral_asset_symbol: string;
            market_id: `0x${string}`;
            borrower: `0x${string}`;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        MorphoClaimRewardEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "morpho_claim_reward";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
                rewards_contract: `0x${string}`;
            };
        };
        MorphoLiquidationAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_LIQUIDATION";
            expected_values: {
                /** Format: int64 */
                chain_id: number;
            };
            observed_values: {
                /** Format: int64 */
                chain_id?: number;
                repaid_tokens?: `0x${string}`[];
                repaid_amounts?: components["schemas"]["Amount"][];
                seized_tokens?: `0x${string}`[];
                seized_amounts?: components["schemas"]["Amount"][];
            };
        };
        MorphoLiquidationContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_LIQUIDATION";
            chain_id: string;
        };
        MorphoLiquidationEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "morpho_liquidation";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                morpho: `0x${string}`;
                morpho_market_id: `0x${string}`;
                repaid_token: `0x${string}`;
                repaid_amount: components["schemas"]["Amount"];
                repaid_usd_value: components["schemas"]["UsdE8"];
                seized_token: `0x${string}`;
                seized_amount: components["schemas"]["Amount"];
                seized_usd_value: components["schemas"]["UsdE8"];
            };
        };
        MorphoLiquidationStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_LIQUIDATION";
            action_context: {
                chain_id: string;
            };
        };
        MorphoMarket: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            protocol: "morpho_market";
            /** Format: int64 */
            chain_id: number;
            morpho: `0x${string}`;
            /** @description Pass it as `market` to borrow and repay, and as `market_id` to the loop and backing plans. */
            market_id: `0x${string}`;
            irm: `0x${string}`;
            /** @description Liquidation loan-to-value, in the scale of `wad`. */
            lltv: number;
            oracle: `0x${string}`;
            loan_token: `0x${string}`;
            collateral_token: `0x${string}`;
            /** @description 10^18. */
            wad: number;
        };
        MorphoRepayAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_REPAY";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                collateral_amount: components["schemas"]["Amount"];
                collateral_asset_symbol: string;
                collateral_token: `0x${string}`;
                collateral_token_price: components["schemas"]["Usd"];
                morpho: `0x${string}`;
                morpho_market_id: `0x${string}`;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                collateral_amount?: components["schemas"]["Amount"];
                collateral_asset_symbol?: string;
                collateral_token?: `0x${string}`;
                collateral_token_price?: components["schemas"]["Usd"];
                morpho?: `0x${string}`;
                morpho_market_id?: `0x${string}`;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
            };
        };
        MorphoRepayContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_REPAY";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            collateral_amount: components["schemas"]["Amount"];
            collateral_asset_symbol: string;
            collateral_token: `0x${string}`;
            collateral_token_price: components["schemas"]["UsdE8"];
            morpho: `0x${string}`;
            morpho_market_id: `0x${string}`;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
        };
        MorphoRepayEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "morpho_repay";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                morpho: `0x${string}`;
                morpho_market_id: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        MorphoRepayStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_REPAY";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                collateral_amount: components["schemas"]["Amount"];
                collateral_asset_symbol: string;
                collateral_token: `0x${string}`;
                collateral_token_price: components["schemas"]["UsdE8"];
                morpho: `0x${string}`;
                morpho_market_id: `0x${string}`;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
            };
        };
        MorphoRepaySvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "morpho_repay";
            intent: components["schemas"]["MorphoRepaySvcIntentData"];
        };
        MorphoRepaySvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            asset_symbol: string;
            token: `0x${string}`;
            amount: string;
            collateral_amount: string;
            collateral_asset_symbol: string;
            market_id: `0x${string}`;
            repayer: `0x${string}`;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
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
        MorphoSupplyCollateralEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "morpho_supply_collateral";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                morpho: `0x${string}`;
                morpho_market_id: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        MorphoVaultSupplyAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_VAULT_SUPPLY";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                morpho_vault: `0x${string}`;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                morpho_vault?: `0x${string}`;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
            };
        };
        MorphoVaultSupplyContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_VAULT_SUPPLY";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            morpho_vault: `0x${string}`;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
        };
        MorphoVaultSupplyEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "morpho_vault_supply";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                morpho_vault: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        MorphoVaultSupplyStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_VAULT_SUPPLY";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                morpho_vault: `0x${string}`;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
            };
        };
        MorphoVaultWithdrawAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_VAULT_WITHDRAW";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                morpho_vault: `0x${string}`;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                morpho_vault?: `0x${string}`;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
            };
        };
        MorphoVaultWithdrawContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_VAULT_WITHDRAW";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            morpho_vault: `0x${string}`;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
        };
        MorphoVaultWithdrawEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "morpho_vault_withdraw";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                morpho_vault: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        MorphoVaultWithdrawStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "MORPHO_VAULT_WITHDRAW";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                morpho_vault: `0x${string}`;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
            };
        };
        MorphoWithdrawCollateralEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "morpho_withdraw_collateral";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                morpho: `0x${string}`;
                morpho_market_id: `0x${string}`;
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
            };
        };
        Network: {
            /** @enum {string} */
            name: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /** Format: int64 */
            chain_id: number;
            display_name: string;
        };
        NoProof: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            proof_type: "none";
        };
        Operation: {
            nonce: `0x${string}`;
            is_replayable: boolean;
            script_address: `0x${string}`;
            script_sources: `0x${string}`[];
            script_calldata: `0x${string}`;
            /** @description Unix seconds. */
            expiry: string;
        };
        OperationAction: {
            chain_id: string;
            svc_account: `0x${string}`;
            action_type: string;
            action_context: components["schemas"]["ActionContext"];
            nonce_secret: `0x${string}`;
            total_plays: string;
            /**
             * @description `CONTINGENT` runs after the bridges of the plan have delivered.
             * @enum {string}
             */
            execution_type: "IMMEDIATE" | "CONTINGENT";
        };
        OperationStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "svc_operation";
            /** Format: int64 */
            operation_index: number;
            chain_id: string;
            expected_actions: components["schemas"]["ExpectedAction"][];
            /** @description Positions in the list of the steps that must come first. */
            depends_on: number[];
        };
        OutboundTransferEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "outbound_transfer";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                token: `0x${string}`;
                amount: components["schemas"]["Amount"];
                dollar_value: components["schemas"]["UsdE8"];
                recipient: `0x${string}`;
            };
        };
        Plan: {
            plan_id: string;
            details: {
                version: string;
                /** @description One element per operation, in the order of execution. */
                svc_operation_actions: {
                    operation: components["schemas"]["Operation"];
                    action: components["schemas"]["OperationAction"];
                }[];
                steps: components["schemas"]["PlanStep"][];
                eip712_data: {
                    /** @description The hash that the signer of the account signs. */
                    digest: `0x${string}`;
                    domain_separator?: `0x${string}`;
                    hash_struct?: `0x${string}`;
                };
            };
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            expires_at: string;
        };
        PlanStep: components["schemas"]["OperationStep"] | components["schemas"]["ExogenousStep"];
        PrimeAccount: {
            id: string;
            name: string;
            email: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC.
             */
            created_at: string;
        };
        Readiness: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            /**
             * @description It leases no more worlds, and stops when the last lease has ended.
             * @enum {boolean}
             */
            draining?: true;
            networks: {
                mainnet: {
                    /** Format: int64 */
                    chain_id: number;
                    ready: boolean;
                    error?: string;
                    /** @description Present while a client has it mine no blocks, or one at an interval: which command did, and what to do. The node responds, so it is ready. */
                    mining?: string;
                    /** @description The source of a forked network, and what it lacks. */
                    fork?: {
                        host: string;
                        /** Format: int64 */
                        block: number;
                        left_out: string[];
                    };
                };
                base: {
                    /** Format: int64 */
                    chain_id: number;
                    ready: boolean;
                    error?: string;
                    /** @description Present while a client has it mine no blocks, or one at an interval: which command did, and what to do. The node responds, so it is ready. */
                    mining?: string;
                    /** @description The source of a forked network, and what it lacks. */
                    fork?: {
                        host: string;
                        /** Format: int64 */
                        block: number;
                        left_out: string[];
                    };
                };
                arbitrum: {
                    /** Format: int64 */
                    chain_id: number;
                    ready: boolean;
                    error?: string;
                    /** @description Present while a client has it mine no blocks, or one at an interval: which command did, and what to do. The node responds, so it is ready. */
                    mining?: string;
                    /** @description The source of a forked network, and what it lacks. */
                    fork?: {
                        host: string;
                        /** Format: int64 */
                        block: number;
                        left_out: string[];
                    };
                };
                optimism: {
                    /** Format: int64 */
                    chain_id: number;
                    ready: boolean;
                    error?: string;
                    /** @description Present while a client has it mine no blocks, or one at an interval: which command did, and what to do. The node responds, so it is ready. */
                    mining?: string;
                    /** @description The source of a forked network, and what it lacks. */
                    fork?: {
                        host: string;
                        /** Format: int64 */
                        block: number;
                        left_out: string[];
                    };
                };
                polygon: {
                    /** Format: int64 */
                    chain_id: number;
                    ready: boolean;
                    error?: string;
                    /** @description Present while a client has it mine no blocks, or one at an interval: which command did, and what to do. The node responds, so it is ready. */
                    mining?: string;
                    /** @description The source of a forked network, and what it lacks. */
                    fork?: {
                        host: string;
                        /** Format: int64 */
                        block: number;
                        left_out: string[];
                    };
                };
            };
        };
        ReinvestRewardsIntent: {
            /**
             * @description Supply asset to compound into.
             * @example USDC
             */
            asset: string;
            /**
             * @description Yield protocol.
             * @example compound
             * @enum {string}
             */
            protocol: "compound" | "aave" | "morpho_vault";
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Reward assets to claim, each once.
             * @example [
             *       "COMP"
             *     ]
             */
            reward_assets: string[];
            /**
             * @description Market address: the vault’s address when protocol names vaults, required with `morpho_vault`. Compound and Aave have one market per asset, so it may be left out.
             * @example 0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca
             */
            market?: string;
        };
        RepayIntent: {
            /**
             * @description Amount to repay, in the asset’s smallest unit; `0` only takes collateral out. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            amount: string;
            /**
             * @description Amount of collateral to take out, in its smallest unit; `0` only repays. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            collateral_amount: string;
            /**
             * @description Asset of the debt; a native asset means its wrapped form.
             * @example USDC
             */
            asset: string;
            /**
             * @description Collateral asset; a native asset is wrapped first.
             * @example WETH
             */
            collateral_asset: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Lending protocol.
             * @example compound
             * @enum {string}
             */
            protocol: "compound" | "morpho";
            /**
             * @description Market id; required for `morpho`. For `compound` the market is the one whose base asset is `asset`.
             * @example 0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda
             */
            market?: string;
        };
        RewardProof: components["schemas"]["NoProof"] | components["schemas"]["MorphoRewardProof"];
        SemanticEvent: components["schemas"]["CometSupplyBaseEvent"] | components["schemas"]["CometSupplyCollateralEvent"] | components["schemas"]["CometRepayEvent"] | components["schemas"]["CometWithdrawBaseEvent"] | components["schemas"]["CometWithdrawCollateralEvent"] | components["schemas"]["CometBorrowEvent"] | components["schemas"]["CometLiquidationCollateralAbsorbedEvent"] | components["schemas"]["CometLiquidationBasePaidOutEvent"] | components["schemas"]["AaveSupplyEvent"] | components["schemas"]["AaveWithdrawEvent"] | components["schemas"]["MorphoVaultSupplyEvent"] | components["schemas"]["MorphoVaultWithdrawEvent"] | components["schemas"]["MorphoSupplyCollateralEvent"] | components["schemas"]["MorphoWithdrawCollateralEvent"] | components["schemas"]["MorphoBorrowEvent"] | components["schemas"]["MorphoRepayEvent"] | components["schemas"]["MorphoLiquidationEvent"] | components["schemas"]["CometClaimRewardEvent"] | components["schemas"]["MorphoClaimRewardEvent"] | components["schemas"]["SwapEvent"] | components["schemas"]["BridgeSendEvent"] | components["schemas"]["BridgeReceiveEvent"] | components["schemas"]["BridgeRefundEvent"] | components["schemas"]["OutboundTransferEvent"] | components["schemas"]["InboundTransferEvent"] | components["schemas"]["LoopLongEvent"] | components["schemas"]["UnloopLongEvent"] | components["schemas"]["AddBackingToLoopEvent"] | components["schemas"]["WithdrawBackingFromLoopEvent"];
        SupplySvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "supply";
            intent: components["schemas"]["SupplySvcIntentData"];
        };
        SupplySvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            asset_symbol: string;
            token: `0x${string}`;
            amount: string;
            /** @enum {string} */
            market_type: "COMET" | "AAVE" | "MORPHO";
            /** @description Address of the Comet market, the Aave pool or the vault. */
            market: `0x${string}`;
            sender: `0x${string}`;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        /** @description The request behind the executed plan. */
        SvcIntent: components["schemas"]["TransferSvcIntent"] | components["schemas"]["SupplySvcIntent"] | components["schemas"]["WithdrawSvcIntent"] | components["schemas"]["SwapSvcIntent"] | components["schemas"]["SwapAndSupplySvcIntent"] | components["schemas"]["CometBorrowSvcIntent"] | components["schemas"]["CometRepaySvcIntent"] | components["schemas"]["MorphoBorrowSvcIntent"] | components["schemas"]["MorphoRepaySvcIntent"] | components["schemas"]["MigrateSuppliesSvcIntent"] | components["schemas"]["CompounderSvcIntent"] | components["schemas"]["ClaimRewardsSvcIntent"] | components["schemas"]["LoopLongSvcIntent"] | components["schemas"]["UnloopLongSvcIntent"] | components["schemas"]["AddBackingTokenSvcIntent"] | components["schemas"]["WithdrawBackingTokenSvcIntent"];
        SvcRewardClaim: {
            claimer: `0x${string}`;
            asset_symbol: string;
        };
        SvcSupply: {
            /** Format: int64 */
            chain_id: number;
            asset_symbol: string;
            token: `0x${string}`;
            amount: string;
            /** @enum {string} */
            market_type: "COMET" | "AAVE" | "MORPHO";
            /** @description Address of the Comet market, the Aave pool or the vault. */
            market: `0x${string}`;
            sender: `0x${string}`;
        };
        SvcSwap: {
            /** Format: int64 */
            chain_id: number;
            sell_token: `0x${string}`;
            sell_amount: string;
            buy_token: `0x${string}`;
            buy_amount: string;
            swap_quote_sell_amount: string;
            swap_quote_buy_amount: string;
            fee_token: `0x${string}`;
            fee_amount: string;
            sender: `0x${string}`;
            is_exact_out: boolean;
            is_buy: boolean;
        };
        SvcWithdrawal: {
            /** Format: int64 */
            chain_id: number;
            asset_symbol: string;
            token: `0x${string}`;
            amount: string;
            /** @enum {string} */
            market_type: "COMET" | "AAVE" | "MORPHO";
            /** @description Address of the Comet market, the Aave pool or the vault. */
            market: `0x${string}`;
            withdrawer: `0x${string}`;
        };
        SwapAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "SWAP";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                fee_amounts: components["schemas"]["Amount"][];
                fee_asset_symbols: string[];
                fee_descriptions: string[];
                fee_token_prices: components["schemas"]["Usd"][];
                fee_tokens: `0x${string}`[];
                input_amount: components["schemas"]["Amount"];
                input_asset_symbol: string;
                input_token: `0x${string}`;
                input_token_price: components["schemas"]["Usd"];
                is_buy: boolean;
                is_capped_max: boolean;
                is_exact_out: boolean;
                output_amount: components["schemas"]["Amount"];
                output_asset_symbol: string;
                output_token: `0x${string}`;
                output_token_price: components["schemas"]["Usd"];
                use_filler: boolean;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                fee_amounts?: components["schemas"]["Amount"][];
                fee_asset_symbols?: string[];
                fee_descriptions?: string[];
                fee_token_prices?: components["schemas"]["Usd"][];
                fee_tokens?: `0x${string}`[];
                input_amount?: components["schemas"]["Amount"];
                input_asset_symbol?: string;
                input_token?: `0x${string}`;
                input_token_price?: components["schemas"]["Usd"];
                is_buy?: boolean;
                is_capped_max?: boolean;
                is_exact_out?: boolean;
                output_amount?: components["schemas"]["Amount"];
                output_asset_symbol?: string;
                output_token?: `0x${string}`;
                output_token_price?: components["schemas"]["Usd"];
                use_filler?: boolean;
            };
        };
        SwapAndSupplyIntent: {
            /**
             * @description Asset to sell.
             * @example USDC
             */
            sell_asset: string;
            /**
             * @description Amount to sell, in the asset’s smallest unit. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            sell_amount: string;
            /**
             * @description Asset to buy and supply.
             * @example WETH
             */
            buy_asset: string;
            /**
             * @description Yield protocol.
             * @example compound
             * @enum {string}
             */
            protocol: "compound" | "aave" | "morpho_vault";
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Market address: the vault’s address when protocol names vaults, required with `morpho_vault`. Compound and Aave have one market per asset, so it may be left out.
             * @example 0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca
             */
            market?: string;
        };
        SwapAndSupplySvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "swap_and_supply";
            intent: components["schemas"]["SwapAndSupplySvcIntentData"];
        };
        SwapAndSupplySvcIntentData: {
            swap_intent: components["schemas"]["SvcSwap"];
            supply_intent: components["schemas"]["SvcSupply"];
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        SwapContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "SWAP";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            fee_amounts: components["schemas"]["Amount"][];
            fee_asset_symbols: string[];
            fee_descriptions: string[];
            fee_token_prices: components["schemas"]["UsdE8"][];
            fee_tokens: `0x${string}`[];
            input_amount: components["schemas"]["Amount"];
            input_asset_symbol: string;
            input_token: `0x${string}`;
            input_token_price: components["schemas"]["UsdE8"];
            is_buy: boolean;
            is_capped_max: boolean;
            is_exact_out: boolean;
            output_amount: components["schemas"]["Amount"];
            output_asset_symbol: string;
            output_token: `0x${string}`;
            output_token_price: components["schemas"]["UsdE8"];
            use_filler: boolean;
        };
        SwapEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "swap";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                input_token: `0x${string}`;
                input_amount: components["schemas"]["Amount"];
                input_dollar_value: components["schemas"]["UsdE8"];
                output_token: `0x${string}`;
                output_amount: components["schemas"]["Amount"];
                output_dollar_value: components["schemas"]["UsdE8"];
                swap_venue: string;
            };
        };
        /** @description Exactly one of `sell_amount` and `buy_amount` must be given. */
        SwapIntent: {
            /**
             * @description Asset to sell.
             * @example USDC
             */
            sell_asset: string;
            /**
             * @description Asset to buy.
             * @example WETH
             */
            buy_asset: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Exact amount to sell. Not with `buy_amount`.
             * @example 1000000
             */
            sell_amount?: string;
            /**
             * @description Exact amount to buy. Not with `sell_amount`.
             * @example 1000000
             */
            buy_amount?: string;
        };
        SwapStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "SWAP";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                fee_amounts: components["schemas"]["Amount"][];
                fee_asset_symbols: string[];
                fee_descriptions: string[];
                fee_token_prices: components["schemas"]["UsdE8"][];
                fee_tokens: `0x${string}`[];
                input_amount: components["schemas"]["Amount"];
                input_asset_symbol: string;
                input_token: `0x${string}`;
                input_token_price: components["schemas"]["UsdE8"];
                is_buy: boolean;
                is_capped_max: boolean;
                is_exact_out: boolean;
                output_amount: components["schemas"]["Amount"];
                output_asset_symbol: string;
                output_token: `0x${string}`;
                output_token_price: components["schemas"]["UsdE8"];
                use_filler: boolean;
            };
        };
        SwapSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "swap";
            intent: components["schemas"]["SwapSvcIntentData"];
        };
        SwapSvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            sell_token: `0x${string}`;
            sell_amount: string;
            buy_token: `0x${string}`;
            buy_amount: string;
            swap_quote_sell_amount: string;
            swap_quote_buy_amount: string;
            fee_token: `0x${string}`;
            fee_amount: string;
            sender: `0x${string}`;
            is_exact_out: boolean;
            is_buy: boolean;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        TransferAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "TRANSFER";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                price: components["schemas"]["Usd"];
                token: `0x${string}`;
                recipient: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                price?: components["schemas"]["Usd"];
                token?: `0x${string}`;
                recipient?: `0x${string}`;
            };
        };
        TransferContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "TRANSFER";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            price: components["schemas"]["UsdE8"];
            token: `0x${string}`;
            recipient: `0x${string}`;
        };
        TransferIntent: {
            /**
             * @description Amount to send, in the asset’s smallest unit. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            amount: string;
            /**
             * @description Asset to send; the native token by its symbol.
             * @example USDC
             */
            asset: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Destination address.
             * @example 0x1111111111111111111111111111111111111111
             */
            recipient: string;
        };
        TransferStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "TRANSFER";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                price: components["schemas"]["UsdE8"];
                token: `0x${string}`;
                recipient: `0x${string}`;
            };
        };
        TransferSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "transfer";
            intent: components["schemas"]["TransferSvcIntentData"];
        };
        TransferSvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            asset_symbol: string;
            token: `0x${string}`;
            amount: string;
            sender: `0x${string}`;
            recipient: `0x${string}`;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        UnloopLongAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "UNLOOP_LONG";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                backing_asset_symbol: string;
                backing_token: `0x${string}`;
                backing_token_price: components["schemas"]["Usd"];
                borrow_market_id: `0x${string}`;
                borrow_venue: string;
                exposure_asset_symbol: string;
                exposure_token: `0x${string}`;
                exposure_token_price: components["schemas"]["Usd"];
                exposure_amount: components["schemas"]["Amount"];
                fee_amount: components["schemas"]["Amount"];
                fee_asset_symbol: string;
                fee_token: `0x${string}`;
                fee_token_price: components["schemas"]["Usd"];
                swap_venue: string;
                backing_amount_to_exit: components["schemas"]["Amount"];
                min_swap_backing_amount: components["schemas"]["Amount"];
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                backing_asset_symbol?: string;
                backing_token?: `0x${string}`;
                backing_token_price?: components["schemas"]["Usd"];
                borrow_market_id?: `0x${string}`;
                borrow_venue?: string;
                exposure_asset_symbol?: string;
                exposure_token?: `0x${string}`;
                exposure_token_price?: components["schemas"]["Usd"];
                exposure_amount?: components["schemas"]["Amount"];
                fee_amount?: components["schemas"]["Amount"];
                fee_asset_symbol?: string;
                fee_token?: `0x${string}`;
                fee_token_price?: components["schemas"]["Usd"];
                swap_venue?: string;
                backing_amount_to_exit?: components["schemas"]["Amount"];
                min_swap_backing_amount?: components["schemas"]["Amount"];
            };
        };
        UnloopLongContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "UNLOOP_LONG";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            backing_asset_symbol: string;
            backing_token: `0x${string}`;
            backing_token_price: components["schemas"]["UsdE8"];
            borrow_market_id: `0x${string}`;
            borrow_venue: string;
            exposure_asset_symbol: string;
            exposure_token: `0x${string}`;
            exposure_token_price: components["schemas"]["UsdE8"];
            exposure_amount: components["schemas"]["Amount"];
            fee_amount: components["schemas"]["Amount"];
            fee_asset_symbol: string;
            fee_token: `0x${string}`;
            fee_token_price: components["schemas"]["UsdE8"];
            swap_venue: string;
            backing_amount_to_exit: components["schemas"]["Amount"];
            min_swap_backing_amount: components["schemas"]["Amount"];
        };
        UnloopLongEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "unloop_long";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                borrow_market_id: `0x${string}`;
                backing_token: `0x${string}`;
                backing_amount: components["schemas"]["Amount"];
                backing_dollar_value: components["schemas"]["UsdE8"];
                exposure_token: `0x${string}`;
                exposure_amount: components["schemas"]["Amount"];
                exposure_dollar_value: components["schemas"]["UsdE8"];
                swap_input_token: `0x${string}`;
                swap_input_amount: components["schemas"]["Amount"];
                swap_input_dollar_value: components["schemas"]["UsdE8"];
                swap_output_token: `0x${string}`;
                swap_output_amount: components["schemas"]["Amount"];
                swap_output_dollar_value: components["schemas"]["UsdE8"];
                swap_venue: string;
                borrow_venue: string;
            };
        };
        UnloopLongIntent: {
            /**
             * @description Asset of the exposure.
             * @example WETH
             */
            exposure_asset: string;
            /**
             * @description Asset of the backing.
             * @example USDC
             */
            backing_asset: string;
            /**
             * @description The Morpho Blue market of the position.
             * @example 0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda
             */
            market_id: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Exposure to close, in its smallest unit; no more than the position holds. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            exposure_amount: string;
            /**
             * @description Part of the swap’s proceeds that the wallet keeps instead of repaying debt. Must be 0 when the whole position is closed: the wallet then gets the rest after the debt is repaid. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            backing_amount_to_exit: string;
            /**
             * @description Minimum backing that the swap must yield; the transaction reverts if it yields less.
             * @example 1000000
             */
            min_swap_backing_amount: string;
            /**
             * @description Fee tier of the Uniswap V3 pool in hundredths of a basis point: 500 is 0.05 %, 3000 is 0.3 %, 10000 is 1 %.
             * @example 500
             */
            pool_fee: number;
        };
        UnloopLongStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "UNLOOP_LONG";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                backing_asset_symbol: string;
                backing_token: `0x${string}`;
                backing_token_price: components["schemas"]["UsdE8"];
                borrow_market_id: `0x${string}`;
                borrow_venue: string;
                exposure_asset_symbol: string;
                exposure_token: `0x${string}`;
                exposure_token_price: components["schemas"]["UsdE8"];
                exposure_amount: components["schemas"]["Amount"];
                fee_amount: components["schemas"]["Amount"];
                fee_asset_symbol: string;
                fee_token: `0x${string}`;
                fee_token_price: components["schemas"]["UsdE8"];
                swap_venue: string;
                backing_amount_to_exit: components["schemas"]["Amount"];
                min_swap_backing_amount: components["schemas"]["Amount"];
            };
        };
        UnloopLongSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "unloop_long";
            intent: components["schemas"]["UnloopLongSvcIntentData"];
        };
        UnloopLongSvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            sender: `0x${string}`;
            exposure_asset_symbol: string;
            backing_asset_symbol: string;
            market_id: `0x${string}`;
            exposure_amount: string;
            backing_amount_to_exit: string;
            min_swap_backing_amount: string;
            /** Format: int64 */
            pool_fee: number;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        UnwrapAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "UNWRAP";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                from_asset_symbol: string;
                to_asset_symbol: string;
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                from_asset_symbol?: string;
                to_asset_symbol?: string;
                token?: `0x${string}`;
            };
        };
        UnwrapContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "UNWRAP";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            from_asset_symbol: string;
            to_asset_symbol: string;
            token: `0x${string}`;
        };
        UnwrapStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "UNWRAP";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                from_asset_symbol: string;
                to_asset_symbol: string;
                token: `0x${string}`;
            };
        };
        /** @description USD. */
        Usd: string;
        /** @description USD with 8 decimals. */
        UsdE8: string;
        VaultMarket: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            protocol: "morpho_vault";
            /** Format: int64 */
            chain_id: number;
            name: string;
            symbol: string;
            /** @description Earn, withdraw and migrate accept it as `market`. */
            vault: `0x${string}`;
            asset: `0x${string}`;
            /** @description 10^18. */
            wad: number;
        };
        WithdrawBackingFromLoopEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            event_type: "withdraw_backing_from_loop";
            /** @description Log indices within the block. */
            log_indices: number[];
            event_metadata: {
                borrow_market_id: `0x${string}`;
                borrow_venue: string;
                backing_token: `0x${string}`;
                backing_amount: components["schemas"]["Amount"];
                backing_dollar_value: components["schemas"]["UsdE8"];
                exposure_token: `0x${string}`;
                is_short: boolean;
            };
        };
        WithdrawBackingIntent: {
            /**
             * @description Asset of the exposure.
             * @example WETH
             */
            exposure_asset: string;
            /**
             * @description Asset of the backing.
             * @example USDC
             */
            backing_asset: string;
            /**
             * @description The Morpho Blue market of the position.
             * @example 0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda
             */
            market_id: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Amount of backing, in its smallest unit. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            amount: string;
            /**
             * @description Whether the position is short.
             * @example false
             */
            is_short: boolean;
        };
        WithdrawBackingTokenAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "WITHDRAW_BACKING_TOKEN";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                backing_asset_symbol: string;
                backing_token: `0x${string}`;
                backing_token_price: components["schemas"]["Usd"];
                borrow_market_id: `0x${string}`;
                borrow_venue: string;
                exposure_asset_symbol: string;
                exposure_token: `0x${string}`;
                exposure_token_price: components["schemas"]["Usd"];
                is_short: boolean;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                backing_asset_symbol?: string;
                backing_token?: `0x${string}`;
                backing_token_price?: components["schemas"]["Usd"];
                borrow_market_id?: `0x${string}`;
                borrow_venue?: string;
                exposure_asset_symbol?: string;
                exposure_token?: `0x${string}`;
                exposure_token_price?: components["schemas"]["Usd"];
                is_short?: boolean;
            };
        };
        WithdrawBackingTokenContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "WITHDRAW_BACKING_TOKEN";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            backing_asset_symbol: string;
            backing_token: `0x${string}`;
            backing_token_price: components["schemas"]["UsdE8"];
            borrow_market_id: `0x${string}`;
            borrow_venue: string;
            exposure_asset_symbol: string;
            exposure_token: `0x${string}`;
            exposure_token_price: components["schemas"]["UsdE8"];
            is_short: boolean;
        };
        WithdrawBackingTokenStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "WITHDRAW_BACKING_TOKEN";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                backing_asset_symbol: string;
                backing_token: `0x${string}`;
                backing_token_price: components["schemas"]["UsdE8"];
                borrow_market_id: `0x${string}`;
                borrow_venue: string;
                exposure_asset_symbol: string;
                exposure_token: `0x${string}`;
                exposure_token_price: components["schemas"]["UsdE8"];
                is_short: boolean;
            };
        };
        WithdrawBackingTokenSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "withdraw_backing_token";
            intent: components["schemas"]["WithdrawBackingTokenSvcIntentData"];
        };
        WithdrawBackingTokenSvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            sender: `0x${string}`;
            exposure_asset_symbol: string;
            backing_asset_symbol: string;
            market_id: `0x${string}`;
            amount: string;
            is_short: boolean;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        WithdrawIntent: {
            /**
             * @description Amount to withdraw, in the asset’s smallest unit. `max` or 2^256-1 means everything available.
             * @example 1000000
             */
            amount: string;
            /**
             * @description Asset to withdraw.
             * @example USDC
             */
            asset: string;
            /**
             * @description Network name, as listed by GET /networks.
             * @example base
             * @enum {string}
             */
            network: "mainnet" | "base" | "arbitrum" | "optimism" | "polygon";
            /**
             * @description Yield protocol. `morpho` means vaults like `morpho_vault`, but does not require `market`: without it, the plan uses the vault of the asset in which the wallet has a position (`plan_failed` if there are several).
             * @example compound
             * @enum {string}
             */
            protocol: "compound" | "aave" | "morpho_vault" | "morpho";
            /**
             * @description Market address: the vault’s address when protocol names vaults, required with `morpho_vault`. Compound and Aave have one market per asset, so it may be left out.
             * @example 0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca
             */
            market?: string;
        };
        WithdrawSvcIntent: {
            /**
             * Format: int64
             * @description Increases over all intents.
             */
            id: number;
            /** @description `version` of the plan’s details. */
            planner_version: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            intent_type: "withdraw";
            intent: components["schemas"]["WithdrawSvcIntentData"];
        };
        WithdrawSvcIntentData: {
            /** Format: int64 */
            chain_id: number;
            asset_symbol: string;
            token: `0x${string}`;
            amount: string;
            /** @enum {string} */
            market_type: "COMET" | "AAVE" | "MORPHO";
            /** @description Address of the Comet market, the Aave pool or the vault. */
            market: `0x${string}`;
            withdrawer: `0x${string}`;
            /**
             * Format: int64
             * @description Unix seconds of the plan.
             */
            block_timestamp: number;
        };
        WrapAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "WRAP";
            expected_values: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                /** Format: int64 */
                chain_id: number;
                from_asset_symbol: string;
                to_asset_symbol: string;
                token: `0x${string}`;
            };
            observed_values: {
                amount?: components["schemas"]["Amount"];
                asset_symbol?: string;
                /** Format: int64 */
                chain_id?: number;
                from_asset_symbol?: string;
                to_asset_symbol?: string;
                token?: `0x${string}`;
            };
        };
        WrapContext: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "WRAP";
            amount: components["schemas"]["Amount"];
            asset_symbol: string;
            chain_id: string;
            from_asset_symbol: string;
            to_asset_symbol: string;
            token: `0x${string}`;
        };
        WrapStep: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action_type: "WRAP";
            action_context: {
                amount: components["schemas"]["Amount"];
                asset_symbol: string;
                chain_id: string;
                from_asset_symbol: string;
                to_asset_symbol: string;
                token: `0x${string}`;
            };
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
    listAccounts: {
        parameters: {
            query?: {
                /** @description Maximum number of sub-accounts; all by default. An extension. */
                limit?: number;
                /** @description Only sub-accounts after this account_id. An extension. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sub-accounts. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accounts: components["schemas"]["Account"][];
                    };
                };
            };
            /** @description `invalid_params`: `limit` is not a positive integer, or `after` is not the account_id of a sub-account of this prime account */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
    createAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAccount"];
            };
        };
        responses: {
            /** @description The new sub-account. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description `invalid_params`: the signer_type is not `eoa`, or the signer_address is malformed */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `account_already_exists`: a sub-account with this signer exists */
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
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sub-account. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
    getPrimeAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prime account. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrimeAccount"];
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
    listNetworks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The networks. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        networks: components["schemas"]["Network"][];
                    };
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
    listAssets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The assets by symbol. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        assets: {
                            [key: string]: components["schemas"]["Asset"];
                        };
                    };
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
    listMarkets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The markets. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        markets: components["schemas"]["Market"][];
                    };
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
    getFolio: {
        parameters: {
            query?: {
                /** @description When true, returns the most recent folio instead of computing a fresh one; faster, possibly stale. Default false. */
                cached?: boolean;
            };
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The folio. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        folio: components["schemas"]["Folio"];
                    };
                };
            };
            /** @description `invalid_params`: `cached` is neither true nor false */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    getFolioStream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planEarn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EarnIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planWithdraw: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planSwap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwapIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
            /** @description `swap_quote_failed`: no swap quote could be fetched */
            422: {
                headers: {
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
    planSwapAndSupply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwapAndSupplyIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
            /** @description `swap_quote_failed`: no swap quote could be fetched */
            422: {
                headers: {
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
    planBorrow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BorrowIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planRepay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepayIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planMigrate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MigrateIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planReinvestRewards: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReinvestRewardsIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
            /** @description `swap_quote_failed`: no swap quote could be fetched */
            422: {
                headers: {
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
    planClaimRewards: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimRewardsIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planLoopLong: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoopLongIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planUnloopLong: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnloopLongIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planAddBacking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddBackingIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    planWithdrawBacking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawBackingIntent"];
            };
        };
        responses: {
            /** @description The plan: its operations, and the digest to sign. */
            201: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /**
             * @description `invalid_params`: a field is missing, malformed, or names something that is not on the network
             *
             *     `plan_failed`: no valid plan can be generated from the account’s funds and positions
             *
             *     `no_wallet`: the account has no wallets
             */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `timeout`: the folio computation timed out */
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
    executePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecutePlan"];
            };
        };
        responses: {
            /** @description Submitted, not yet confirmed. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionResult"];
                };
            };
            /** @description `invalid_params`: plan_id or signature is missing */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
             * @description `plan_not_found`: the plan is absent, expired or consumed
             *
             *     `account_not_found`: the account does not exist or belongs to another prime account
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
            /** @description `plan_stale`: the underlying data of the plan changed */
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
            /** @description `internal_error`: signature verification or execution failed */
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
    listActivities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The activities. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        activities: components["schemas"]["Activity"][];
                    };
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
    getAccountActivity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_id: string;
                /** @description The `act_` id of the activity, or the integer of its field `id`. */
                activity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The activity. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
             * @description `not_found`: the activity does not exist or belongs to another account
             *
             *     `account_not_found`: the account does not exist or belongs to another prime account
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
    getActivity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `act_` id of the activity, or the integer of its field `id`. */
                activity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The activity. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
            /** @description `not_found`: the activity does not exist or belongs to another account */
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
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events after this cursor; without it, all events. */
                since?: number;
                /** @description When true and there are no events yet, waits until some arrive, up to 25 seconds. Default false. */
                poll?: boolean;
            };
            header?: never;
            path: {
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events after the cursor. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["Event"][];
                        /** Format: int64 */
                        cursor: number;
                    };
                };
            };
            /** @description `invalid_params`: `since` is not a cursor, or `poll` is neither true nor false */
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
             * @description `missing_auth_header`: the Authorization header is missing or is not a bearer token
             *
             *     `invalid_api_key`: the API key is not known
             *
             *     `api_key_revoked`: the API key has been revoked
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
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is up. */
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
                        status: "live";
                    };
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
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every node answers with the right chain id. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
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
            /** @description At least one node does not, or the simulator drains before it stops. */
            503: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getEntryPoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The paths. */
            200: {
                headers: {
                    "x-svc-sim-request-id": components["headers"]["RequestId"];
                    "x-svc-sim-hint": components["headers"]["Hint"];
                    "x-svc-sim-fault": components["headers"]["Fault"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        api: string;
                        docs: string;
                        openapi: string;
                        health: string;
                    };
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
    getOpenapi: {
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
    getOpenapi30: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI 3.0 document. */
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
    getOpenapiYaml: {
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
                    "application/yaml": string;
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
