// Recorded by scripts/openapi.mjs; never edited by hand. `npm run openapi` records it anew.

/** What a simulator was asked for an operation, and what it returned: answers by status, error texts by code. Long lists are shortened. */
export interface Recorded {
  path?: Record<string, string>
  body?: unknown
  answers: Record<number, unknown>
  errors: Record<string, string>
}

/** Texts of errors that most operations share. */
export const commonErrors: Readonly<Record<string, string>> = {
  "account_not_found": "Account not found",
  "api_key_revoked": "API key has been revoked",
  "conflict": "The system is busy: POST /accounts did not end within 10 s; nothing was changed",
  "forbidden": "The Host header does not name this server: Host is evil.example",
  "internal_error": "An unexpected error occurred",
  "invalid_api_key": "Invalid control token",
  "invalid_params": "The path has a malformed percent escape",
  "missing_auth_header": "Missing Authorization header",
  "no_room": "No world can be leased now: all 32 are in use",
  "no_wallet": "Account has no wallets",
  "not_found": "There is no world wld_5t0p9x2m4k1c",
  "payload_too_large": "The request body must be at most 1048576 bytes, but is 2000000 bytes",
  "plan_failed": "position not found: the wallet has neither collateral nor debt in the WETH/USDC 86% market 0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda",
  "rate_limited": "No world can be leased now: 256 requests wait for one already",
  "swap_quote_failed": "No quote for USDC -> WETH on base",
  "timeout": "Folio computation timed out"
}

/** By operation. An error that is not here has the common text. */
export const recorded: Readonly<Record<string, Recorded>> = {
  createAccount: {
    body: {"signer_type":"eoa","signer_address":"0xe1fae9b4fab2f5726677ecfa912d96b0b683e6a9"},
    answers: {
      201: {"account_id":"acc_3ibag02pq3p0","signer_type":"eoa","signer_address":"0xe1fae9b4fab2f5726677ecfa912d96b0b683e6a9","svc_wallet_address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","created_at":"2026-01-05T09:00:00Z"},
    },
    errors: {
      invalid_params: "signer_address must be an address: 0x and 40 hex digits, received \"0x12\"",
      account_already_exists: "An account already exists with this configuration",
      invalid_api_key: "Invalid API key",
    },
  },
  listAccounts: {
    answers: {
      200: {"accounts":[{"account_id":"acc_3ibag02pq3p0","signer_type":"eoa","signer_address":"0xe1fae9b4fab2f5726677ecfa912d96b0b683e6a9","svc_wallet_address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","created_at":"2026-01-05T09:00:00Z"}]},
    },
    errors: {
      invalid_params: "limit must be an integer from 1 to 2^53-1, given once, received \"0\"",
      invalid_api_key: "Invalid API key",
    },
  },
  getAccount: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    answers: {
      200: {"account_id":"acc_3ibag02pq3p0","signer_type":"eoa","signer_address":"0xe1fae9b4fab2f5726677ecfa912d96b0b683e6a9","svc_wallet_address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","created_at":"2026-01-05T09:00:00Z"},
    },
    errors: {
      invalid_api_key: "Invalid API key",
    },
  },
  getPrimeAccount: {
    answers: {
      200: {"id":"svc_3kib3ffctntw","name":"Local prime account","email":"local@svc-sim.invalid","created_at":"2026-01-05T09:00:00Z"},
    },
    errors: {
      invalid_params: "x-svc-sim-fault must be a rule as JSON or \"seam.effect\", received \"slow\"",
      invalid_api_key: "Invalid API key",
    },
  },
  listNetworks: {
    answers: {
      200: {"networks":[{"name":"mainnet","chain_id":1,"display_name":"Ethereum"},{"name":"base","chain_id":8453,"display_name":"Base"}]},
    },
    errors: {
      invalid_params: "x-svc-sim-fault must be a rule as JSON or \"seam.effect\", received \"slow\"",
      invalid_api_key: "Invalid API key",
    },
  },
  listAssets: {
    answers: {
      200: {"assets":{"ETH":{"name":"Ether","decimals":18,"networks":{"mainnet":{"chain_id":1,"address":"0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","native":true},"base":{"chain_id":8453,"address":"0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","native":true},"arbitrum":{"chain_id":42161,"address":"0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","native":true},"optimism":{"chain_id":10,"address":"0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","native":true}}},"WETH":{"name":"Wrapped Ether","decimals":18,"networks":{"mainnet":{"chain_id":1,"address":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2","native":false},"base":{"chain_id":8453,"address":"0x4200000000000000000000000000000000000006","native":false},"arbitrum":{"chain_id":42161,"address":"0x82af49447d8a07e3bd95bd0d56f35241523fbab1","native":false},"optimism":{"chain_id":10,"address":"0x4200000000000000000000000000000000000006","native":false},"polygon":{"chain_id":137,"address":"0x7ceb23fd6bc0add59e62ac25578270cff1b9f619","native":false}}},"USDC":{"name":"USD Coin","decimals":6,"networks":{"mainnet":{"chain_id":1,"address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","native":false},"base":{"chain_id":8453,"address":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","native":false},"arbitrum":{"chain_id":42161,"address":"0xaf88d065e77c8cc2239327c5edb3a432268e5831","native":false},"optimism":{"chain_id":10,"address":"0x0b2c639c533813f4aa9d7837caf62653d097ff85","native":false},"polygon":{"chain_id":137,"address":"0x3c499c542cef5e3811e1192ce70d8cc03d5c3359","native":false}}},"USDT":{"name":"Tether USD","decimals":6,"networks":{"mainnet":{"chain_id":1,"address":"0xdac17f958d2ee523a2206206994597c13d831ec7","native":false},"base":{"chain_id":8453,"address":"0xfde4c96c8593536e31f229ea8f37b2ada2699bb2","native":false},"arbitrum":{"chain_id":42161,"address":"0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9","native":false},"optimism":{"chain_id":10,"address":"0x94b008aa00579c1307b0ef2c499ad98a8ce58e58","native":false},"polygon":{"chain_id":137,"address":"0xc2132d05d31c914a87c6611c10748aeb04b58e8f","native":false}}},"DAI":{"name":"Dai Stablecoin","decimals":18,"networks":{"mainnet":{"chain_id":1,"address":"0x6b175474e89094c44da98b954eedeac495271d0f","native":false},"base":{"chain_id":8453,"address":"0x50c5725949a6f0c72e6c4a641f24049a917db0cb","native":false},"arbitrum":{"chain_id":42161,"address":"0xda10009cbd5d07dd0cecc66161fc93d7c9000da1","native":false},"optimism":{"chain_id":10,"address":"0xda10009cbd5d07dd0cecc66161fc93d7c9000da1","native":false},"polygon":{"chain_id":137,"address":"0x8f3cf7ad23cd3cadbd9735aff958023239c6a063","native":false}}},"WBTC":{"name":"Wrapped BTC","decimals":8,"networks":{"mainnet":{"chain_id":1,"address":"0x2260fac5e5542a773aa44fbcfedf7c193bc2c599","native":false},"base":{"chain_id":8453,"address":"0x0555e30da8f98308edb960aa94c0db47230d2b9c","native":false},"arbitrum":{"chain_id":42161,"address":"0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f","native":false},"optimism":{"chain_id":10,"address":"0x68f180fcce6836688e9084f035309e29bf0a2095","native":false},"polygon":{"chain_id":137,"address":"0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6","native":false}}},"cbBTC":{"name":"Coinbase Wrapped BTC","decimals":8,"networks":{"mainnet":{"chain_id":1,"address":"0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf","native":false},"base":{"chain_id":8453,"address":"0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf","native":false},"arbitrum":{"chain_id":42161,"address":"0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf","native":false}}},"wstETH":{"name":"Wrapped liquid staked Ether 2.0","decimals":18,"networks":{"mainnet":{"chain_id":1,"address":"0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0","native":false},"base":{"chain_id":8453,"address":"0xc1cba3fcea344f92d9239c08c0568f6f2f0ee452","native":false},"arbitrum":{"chain_id":42161,"address":"0x5979d7b546e38e414f7e9822514be443a4800529","native":false},"optimism":{"chain_id":10,"address":"0x1f32b1c2345538c0c6f582fcb022739c4a194ebb","native":false},"polygon":{"chain_id":137,"address":"0x03b54a6e9a984069379fae1a4fc4dbae93b3bccd","native":false}}},"cbETH":{"name":"Coinbase Wrapped Staked ETH","decimals":18,"networks":{"mainnet":{"chain_id":1,"address":"0xbe9895146f7af43049ca1c1ae358b0541ea49704","native":false},"base":{"chain_id":8453,"address":"0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22","native":false},"arbitrum":{"chain_id":42161,"address":"0x1debd73e752beaf79865fd6446b0c970eae7732f","native":false},"optimism":{"chain_id":10,"address":"0xaddb6a0412de1ba0f936dcaeb8aaa24578dcf3b2","native":false}}},"COMP":{"name":"Compound","decimals":18,"networks":{"mainnet":{"chain_id":1,"address":"0xc00e94cb662c3520282e6f5717214004a7f26888","native":false},"base":{"chain_id":8453,"address":"0x9e1028f5f1d5ede59748ffcee5532509976840e0","native":false},"arbitrum":{"chain_id":42161,"address":"0x354a6da3fcde098f8389cad84b0182725c6c91de","native":false},"optimism":{"chain_id":10,"address":"0x7e7d4467112689329f7e06571ed0e8cbad4910ee","native":false},"polygon":{"chain_id":137,"address":"0x8505b9d2254a7ae468c0e9dd10ccea3a837aef5c","native":false}}},"MORPHO":{"name":"Morpho Token","decimals":18,"networks":{"mainnet":{"chain_id":1,"address":"0x58d97b57bb95320f9a05dc918aef65434969c2b2","native":false},"base":{"chain_id":8453,"address":"0xbaa5cc21fd487b8fcc2f632f3f4e8d37262a0842","native":false},"arbitrum":{"chain_id":42161,"address":"0x40bd670a58238e6e230c430bbb5ce6ec0d40df48","native":false}}},"USDbC":{"name":"USD Base Coin","decimals":6,"networks":{"base":{"chain_id":8453,"address":"0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca","native":false}}},"USDC.e":{"name":"USD Coin (bridged)","decimals":6,"networks":{"arbitrum":{"chain_id":42161,"address":"0xff970a61a04b1ca14834a43f5de4533ebddb5cc8","native":false},"optimism":{"chain_id":10,"address":"0x7f5c764cbc14f9669b88837ca1490cca17c31607","native":false},"polygon":{"chain_id":137,"address":"0x2791bca1f2de4661ed88a30c99a7a9449aa84174","native":false}}},"USDT0":{"name":"USDT0","decimals":6,"networks":{"optimism":{"chain_id":10,"address":"0x01bff41798a0bcf287b996046ca68b395dbc1071","native":false}}},"POL":{"name":"POL","decimals":18,"networks":{"polygon":{"chain_id":137,"address":"0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","native":true}}},"WPOL":{"name":"Wrapped Polygon Ecosystem Token","decimals":18,"networks":{"polygon":{"chain_id":137,"address":"0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270","native":false}}}}},
    },
    errors: {
      invalid_params: "x-svc-sim-fault must be a rule as JSON or \"seam.effect\", received \"slow\"",
      invalid_api_key: "Invalid API key",
    },
  },
  listMarkets: {
    answers: {
      200: {"markets":[{"protocol":"comet","chain_id":1,"name":"Compound USDC","symbol":"cUSDCv3","base_asset":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","factor_scale":1000000000000000000,"comet_address":"0xc3d688b66703497daa19211eedff47f25384cdc3","rewards_address":"0x1b0e765f6224c21223aea2af16c1c46e38885a40","collateral_assets":[{"asset":"0xc00e94cb662c3520282e6f5717214004a7f26888","price_feed":"0xdbd020caef83efd542f4de03e3cf0c28a4428bd5"}]},{"protocol":"morpho_market","chain_id":1,"morpho":"0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb","market_id":"0x3a85e619751152991742810df6ec69ce473daef99e28a64ab2340d7b7ccfee49","irm":"0x870ac11d48b15db9a138cf899d20f13f79ba00bc","lltv":860000000000000000,"oracle":"0xdddd770badd886df3864029e4b377b5f6a2b6b83","loan_token":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","collateral_token":"0x2260fac5e5542a773aa44fbcfedf7c193bc2c599","wad":1000000000000000000},{"protocol":"morpho_vault","chain_id":1,"name":"Steakhouse USDC","symbol":"steakUSDC","vault":"0xbeef01735c132ada46aa9aa4c54623caa92a64cb","asset":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","wad":1000000000000000000},{"protocol":"aave_market","chain_id":1,"name":"Aave V3 on mainnet","pool":"0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2","ui_pool_data_provider":"0x2dad8162a989cd99d673de4425bb2298db1e1aa2","market_base_currency":"USD","ray_scale":1e+27,"bps_scale":10000,"reserves":[{"symbol":"WETH","decimals":18,"underlying_asset":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"}]}]},
    },
    errors: {
      invalid_params: "x-svc-sim-fault must be a rule as JSON or \"seam.effect\", received \"slow\"",
      invalid_api_key: "Invalid API key",
    },
  },
  getFolio: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    answers: {
      200: {"folio":{"balances":{"token/base/USDC/0x2461d9a0991a576327ee46ea387e4d8b35fd039c":"9e6","yield_market/comet/base/0xb125e6687d4313864e53df431d5425969c15eb2f/USDC/0x2461d9a0991a576327ee46ea387e4d8b35fd039c":"0.999999e6"},"prices":{"token/POL":"0.5","token/WPOL":"0.5"},"yield_markets":{"comet/ethereum/0xc3d688b66703497daa19211eedff47f25384cdc3/USDC":{"supply_apr":"0.023724999974304","supply_rewards_apr":"0.003302902896286593","supply_cap":null,"total_supply":"55254424.889092e6"},"comet/ethereum/0xa17581a9e3356d9a858b789d68b4d866e593ae94/WETH":{"supply_apr":"0.023557392","supply_rewards_apr":"0.021244207590077451","supply_cap":null,"total_supply":"11081.844262791413310216e18"}},"borrow_markets":{"comet/ethereum/0xc3d688b66703497daa19211eedff47f25384cdc3/USDC":{"borrow_apr":"0.040549999938768","borrow_rewards_apr":"0","borrow_cap":null,"total_borrow":"41006411.310489e6","base_borrow_min":"100e6","collaterals":{"COMP":{"borrow_collateral_factor":"0.5","liquidate_collateral_factor":"0.7","liquidation_factor":"0.75","supply_cap":"100000e18","total_supply":"30000e18","usd_price":"50"},"WBTC":{"borrow_collateral_factor":"0.8","liquidate_collateral_factor":"0.85","liquidation_factor":"0.9","supply_cap":"10000e8","total_supply":"222.22222222e8","usd_price":"90000"},"WETH":{"borrow_collateral_factor":"0.825","liquidate_collateral_factor":"0.895","liquidation_factor":"0.95","supply_cap":"500000e18","total_supply":"6666.666666666666666666e18","usd_price":"3000"},"wstETH":{"borrow_collateral_factor":"0.82","liquidate_collateral_factor":"0.87","liquidation_factor":"0.92","supply_cap":"40000e18","total_supply":"5555.555555555555555555e18","usd_price":"3600"},"cbBTC":{"borrow_collateral_factor":"0.8","liquidate_collateral_factor":"0.85","liquidation_factor":"0.95","supply_cap":"900e8","total_supply":"222.22222222e8","usd_price":"90000"}}},"comet/ethereum/0xa17581a9e3356d9a858b789d68b4d866e593ae94/WETH":{"borrow_apr":"0.0528686596512","borrow_rewards_apr":"0","borrow_cap":null,"total_borrow":"9464.412521369302597756e18","base_borrow_min":"0.1e18","collaterals":{"cbETH":{"borrow_collateral_factor":"0.9","liquidate_collateral_factor":"0.93","liquidation_factor":"0.975","supply_cap":"10000e18","total_supply":"3000e18","usd_price":"3300"},"wstETH":{"borrow_collateral_factor":"0.9","liquidate_collateral_factor":"0.93","liquidation_factor":"0.975","supply_cap":"64500e18","total_supply":"5555.555555555555555555e18","usd_price":"3600"},"WBTC":{"borrow_collateral_factor":"0.8","liquidate_collateral_factor":"0.85","liquidation_factor":"0.9","supply_cap":"1000e8","total_supply":"222.22222222e8","usd_price":"90000"},"cbBTC":{"borrow_collateral_factor":"0.8","liquidate_collateral_factor":"0.85","liquidation_factor":"0.95","supply_cap":"93e8","total_supply":"27.9e8","usd_price":"90000"}}}},"rewards":{},"swap_hints":{"wrapper/ethereum/ETH/ethereum/WETH":{"exchange_rate":"1","min_amount":"0e18","max_amount":null},"wrapper/base/ETH/base/WETH":{"exchange_rate":"1","min_amount":"0e18","max_amount":null}},"bridge_hints":{"across/ethereum/USDC/base/USDC":{"estimated_fill_time_sec":2,"fixed_cost":"0.003e6","max_amount":"3000000e6","max_amount_instant":"3000000e6","min_amount":"0.6e6","rate":"0.9999"},"across/ethereum/WETH/base/WETH":{"estimated_fill_time_sec":2,"fixed_cost":"0.000001e18","max_amount":"1000e18","max_amount_instant":"1000e18","min_amount":"0.0002e18","rate":"0.9999"}},"hex_data":{"nonce_secret/ethereum/0x2461d9a0991a576327ee46ea387e4d8b35fd039c":"0xaaf4521a3eef0f08bc5190b0019e380dbfd572a42f45a5d6379b70799f404a00","nonce_secret/base/0x2461d9a0991a576327ee46ea387e4d8b35fd039c":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef701"},"completion_statuses":{"svc_nonce/0x2461d9a0991a576327ee46ea387e4d8b35fd039c/0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700":true},"patches":{}}},
    },
    errors: {
      invalid_params: "cached must be true or false, received \"yes\"",
      invalid_api_key: "Invalid API key",
    },
  },
  getFolioStream: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    answers: {
      200: "event: snapshot\ndata: [[\"balances/token/base/USDC/0x2461d9a0991a576327ee46ea387e4d8b35fd039c\",\"9e6\"],[\"balances/yield_market/comet/base/0xb125e6687d4313864e53df431d5425969c15eb2f/USDC/0x2461d9a0991a576327ee46ea387e4d8b35fd039c\",\"0.999999e6\"]]\n\n",
    },
    errors: {
      invalid_api_key: "Invalid API key",
    },
  },
  planEarn: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"amount":"1000000","asset":"USDC","network":"base","protocol":"compound"},
    answers: {
      201: {"plan_id":"pln_93ulgpxeh26h","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700","is_replayable":false,"script_address":"0xb722135bcbb764b5d71aabbfbbba45bae64ddd79","script_sources":[],"script_calldata":"0x3e6f66dc000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000f42400000000000000000000000000000000000000000000000000000000000000000","expiry":"1767604500"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"COMET_SUPPLY","action_context":{"action_type":"COMET_SUPPLY","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"COMET_SUPPLY","action_context":{"chain_id":"8453","amount":"1000000","asset_symbol":"USDC","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}],"depends_on":[]}],"eip712_data":{"digest":"0xf244e68bbadf232f3583b7ab9c02be4ae7caf9f2d05a9c0d88039a549c84171b","domain_separator":"0x65e5ccc21ea9d73059218ac8f8c5b8e168964436fa79eaf58292cfece3ce54c1","hash_struct":"0x0f92aca57f17443d6fbf3152b01b990d1c0b2ffce3b1da34d36b71df700ee765"}},"expires_at":"2026-01-05T09:02:00Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      plan_failed: "insufficient resources of USDC on base: target 1000000, max 0",
      invalid_api_key: "Invalid API key",
    },
  },
  planWithdraw: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"amount":"1000000","asset":"USDC","network":"base","protocol":"compound"},
    answers: {
      201: {"plan_id":"pln_ibrr4bl8h4br","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0xcc7d23e50945faf660a389fbb6f461d3234ddea7","script_sources":[],"script_calldata":"0xd9caed12000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000f4240","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"COMET_WITHDRAW","action_context":{"action_type":"COMET_WITHDRAW","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"COMET_WITHDRAW","action_context":{"chain_id":"8453","amount":"1000000","asset_symbol":"USDC","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}],"depends_on":[]}],"eip712_data":{"digest":"0x5df65990bd240b90f87809de2aade13cb1c599f065f9a87603e12523a6000498"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      plan_failed: "route not found: the wallet has no USDC position in Compound USDC on base",
      invalid_api_key: "Invalid API key",
    },
  },
  planTransfer: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"amount":"1000000","asset":"USDC","network":"base","recipient":"0x1111111111111111111111111111111111111111"},
    answers: {
      201: {"plan_id":"pln_9mzfua9qq7ta","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0x95b844178488fa4ad8d9d9e9f679bee56fa15ba4","script_sources":[],"script_calldata":"0xd9931842000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913000000000000000000000000111111111111111111111111111111111111111100000000000000000000000000000000000000000000000000000000000f42400000000000000000000000000000000000000000000000000000000000000000","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"TRANSFER","action_context":{"action_type":"TRANSFER","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","price":"100000000","recipient":"0x1111111111111111111111111111111111111111","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"TRANSFER","action_context":{"chain_id":"8453","amount":"1000000","asset_symbol":"USDC","price":"100000000","recipient":"0x1111111111111111111111111111111111111111","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}],"depends_on":[]}],"eip712_data":{"digest":"0x0f502d19bd030191de12d576cef44fe9a654970e87c70ba394e472dde7dd189e"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      plan_failed: "insufficient resources of USDC on base: target 1000000, max 0",
      invalid_api_key: "Invalid API key",
    },
  },
  planSwap: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"sell_asset":"USDC","buy_asset":"WETH","network":"base","sell_amount":"1000000"},
    answers: {
      201: {"plan_id":"pln_vr3wul36f2nn","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0x2b8f1291b2ccd9ca40bb83f66b6c96897aa49127","script_sources":[],"script_calldata":"0x271e5bf80000000000000000000000000000000000000000000000000000000000000020000000000000000000000000e8555f3626677a4c980ac9e4ffde08a85b1c7473000000000000000000000000e8555f3626677a4c980ac9e4ffde08a85b1c7473000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000f4240000000000000000000000000420000000000000000000000000000000000000600000000000000000000000000000000000000000000000000012bfbb1d019d2000000000000000000000000000000000000000000000000000000745b6bc1fa0000000000000000000000007ea8d6119596016935543d90ee8f5126285060a1000000000000000000000000000000000000000000000000000000000000012000000000000000000000000000000000000000000000000000000000000000a47b32b50e000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913000000000000000000000000420000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000f424000000000000000000000000000000000000000000000000000012bfbb1d019d20000000000000000000000002461d9a0991a576327ee46ea387e4d8b35fd039c00000000000000000000000000000000000000000000000000000000","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"SWAP","action_context":{"action_type":"SWAP","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","fee_amounts":["499749995002"],"fee_asset_symbols":["WETH"],"fee_descriptions":["SVC_FEE"],"fee_token_prices":["300000000000"],"fee_tokens":["0x4200000000000000000000000000000000000006"],"input_amount":"1000000","input_asset_symbol":"USDC","input_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","input_token_price":"100000000","is_buy":false,"is_capped_max":false,"is_exact_out":false,"output_amount":"333166663335000","output_asset_symbol":"WETH","output_token":"0x4200000000000000000000000000000000000006","output_token_price":"300000000000","use_filler":false},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"SWAP","action_context":{"chain_id":"8453","amount":"1000000","asset_symbol":"USDC","fee_amounts":["499749995002"],"fee_asset_symbols":["WETH"],"fee_descriptions":["SVC_FEE"],"fee_token_prices":["300000000000"],"fee_tokens":["0x4200000000000000000000000000000000000006"],"input_amount":"1000000","input_asset_symbol":"USDC","input_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","input_token_price":"100000000","is_buy":false,"is_capped_max":false,"is_exact_out":false,"output_amount":"333166663335000","output_asset_symbol":"WETH","output_token":"0x4200000000000000000000000000000000000006","output_token_price":"300000000000","use_filler":false}}],"depends_on":[]}],"eip712_data":{"digest":"0x05e281b38bc3078a57a9604d2e5c8d23efd215b22316ca9d7b229977df8dd88b","domain_separator":"0x65e5ccc21ea9d73059218ac8f8c5b8e168964436fa79eaf58292cfece3ce54c1","hash_struct":"0xe0b06c615b9fc6e7969d79983187eddc38d3c89b01812f5fe338ab9efd8efccb"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      plan_failed: "insufficient balance of USDC on base: required 1000000, available 0",
      invalid_api_key: "Invalid API key",
    },
  },
  planSwapAndSupply: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"sell_asset":"USDC","sell_amount":"1000000","buy_asset":"WETH","protocol":"compound","network":"base"},
    answers: {
      201: {"plan_id":"pln_wqc0skbcq3bm","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0x2b8f1291b2ccd9ca40bb83f66b6c96897aa49127","script_sources":[],"script_calldata":"0x271e5bf80000000000000000000000000000000000000000000000000000000000000020000000000000000000000000e8555f3626677a4c980ac9e4ffde08a85b1c7473000000000000000000000000e8555f3626677a4c980ac9e4ffde08a85b1c7473000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000f4240000000000000000000000000420000000000000000000000000000000000000600000000000000000000000000000000000000000000000000012bfbb1d019d2000000000000000000000000000000000000000000000000000000745b6bc1fa0000000000000000000000007ea8d6119596016935543d90ee8f5126285060a1000000000000000000000000000000000000000000000000000000000000012000000000000000000000000000000000000000000000000000000000000000a47b32b50e000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913000000000000000000000000420000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000f424000000000000000000000000000000000000000000000000000012bfbb1d019d20000000000000000000000002461d9a0991a576327ee46ea387e4d8b35fd039c00000000000000000000000000000000000000000000000000000000","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"SWAP","action_context":{"action_type":"SWAP","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","fee_amounts":["499749995002"],"fee_asset_symbols":["WETH"],"fee_descriptions":["SVC_FEE"],"fee_token_prices":["300000000000"],"fee_tokens":["0x4200000000000000000000000000000000000006"],"input_amount":"1000000","input_asset_symbol":"USDC","input_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","input_token_price":"100000000","is_buy":false,"is_capped_max":false,"is_exact_out":false,"output_amount":"333166663335000","output_asset_symbol":"WETH","output_token":"0x4200000000000000000000000000000000000006","output_token_price":"300000000000","use_filler":false},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}},{"operation":{"nonce":"0xacebca6bbd21fcbb38da2ac98a610cf3aef440f1202e2d94f70a8cc27c0b2f03","is_replayable":false,"script_address":"0xb722135bcbb764b5d71aabbfbbba45bae64ddd79","script_sources":[],"script_calldata":"0x10cf183500000000000000000000000046e6b214b524310239732d51387075e0e70970bf00000000000000000000000042000000000000000000000000000000000000060000000000000000000000000000000000000000000000000000000000000000","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"COMET_SUPPLY","action_context":{"action_type":"COMET_SUPPLY","amount":"332666913339998","asset_symbol":"WETH","chain_id":"8453","comet":"0x46e6b214b524310239732d51387075e0e70970bf","price":"300000000000","token":"0x4200000000000000000000000000000000000006"},"nonce_secret":"0xacebca6bbd21fcbb38da2ac98a610cf3aef440f1202e2d94f70a8cc27c0b2f03","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"SWAP","action_context":{"chain_id":"8453","amount":"1000000","asset_symbol":"USDC","fee_amounts":["499749995002"],"fee_asset_symbols":["WETH"],"fee_descriptions":["SVC_FEE"],"fee_token_prices":["300000000000"],"fee_tokens":["0x4200000000000000000000000000000000000006"],"input_amount":"1000000","input_asset_symbol":"USDC","input_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","input_token_price":"100000000","is_buy":false,"is_capped_max":false,"is_exact_out":false,"output_amount":"333166663335000","output_asset_symbol":"WETH","output_token":"0x4200000000000000000000000000000000000006","output_token_price":"300000000000","use_filler":false}}],"depends_on":[]},{"type":"svc_operation","chain_id":"8453","operation_index":1,"expected_actions":[{"action_type":"COMET_SUPPLY","action_context":{"chain_id":"8453","amount":"332666913339998","asset_symbol":"WETH","comet":"0x46e6b214b524310239732d51387075e0e70970bf","price":"300000000000","token":"0x4200000000000000000000000000000000000006"}}],"depends_on":[0]}],"eip712_data":{"digest":"0xb01a8f6f6d973a203c4f7deaf75de4dab7d00edfa7605cd1b3cb132cf3ad05b4","domain_separator":"0x239a1a912b2dedd393bbc3011f028a56f0c288b4a78458ae5402435c540e8893","hash_struct":"0x93767230ed8aaefaeb48da9ded49070b8def8a1ec70c0093b74cae85d5ab95db"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      plan_failed: "insufficient balance of USDC on base: required 1000000, available 0",
      invalid_api_key: "Invalid API key",
    },
  },
  planBorrow: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"amount":"1000000000","asset":"USDC","collateral_amount":"1000000000000000000","collateral_asset":"WETH","network":"base","protocol":"compound"},
    answers: {
      201: {"plan_id":"pln_mq0k9siwgwqg","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0x850df3db193d9a4e8fa898986259461b00e80779","script_sources":[],"script_calldata":"0xff203885000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f00000000000000000000000000000000000000000000000000000000000000a000000000000000000000000000000000000000000000000000000000000000e0000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913000000000000000000000000000000000000000000000000000000003b9aca000000000000000000000000000000000000000000000000000000000000000001000000000000000000000000420000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000de0b6b3a7640000","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"COMET_BORROW","action_context":{"action_type":"COMET_BORROW","amount":"1000000000","asset_symbol":"USDC","chain_id":"8453","collateral_amounts":["1000000000000000000"],"collateral_asset_symbols":["WETH"],"collateral_token_prices":["300000000000"],"collateral_tokens":["0x4200000000000000000000000000000000000006"],"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"COMET_BORROW","action_context":{"chain_id":"8453","amount":"1000000000","asset_symbol":"USDC","collateral_amounts":["1000000000000000000"],"collateral_asset_symbols":["WETH"],"collateral_token_prices":["300000000000"],"collateral_tokens":["0x4200000000000000000000000000000000000006"],"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}],"depends_on":[]}],"eip712_data":{"digest":"0x42f273c07babe1579188a90055335da13c8fd26d483f6893952a78b6c6bee6f0","domain_separator":"0x65e5ccc21ea9d73059218ac8f8c5b8e168964436fa79eaf58292cfece3ce54c1","hash_struct":"0xd4bb592d6401165fb576e79401b700554ed4d27317010d5bfc26db1b1be32c0b"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      plan_failed: "insufficient resources of WETH on base: target 1000000000000000000, max 0",
      invalid_api_key: "Invalid API key",
    },
  },
  planRepay: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"amount":"max","asset":"USDC","collateral_amount":"1000000000000000000","collateral_asset":"WETH","network":"base","protocol":"compound"},
    answers: {
      201: {"plan_id":"pln_sbcozgmqenhh","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef705","is_replayable":false,"script_address":"0xd9a8692804b7c33d71ff96d80c63e836a42811cf","script_sources":[],"script_calldata":"0xff203885000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f00000000000000000000000000000000000000000000000000000000000000a000000000000000000000000000000000000000000000000000000000000000e0000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff0000000000000000000000000000000000000000000000000000000000000001000000000000000000000000420000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000de0b6b3a7640000","expiry":"1767691261"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"COMET_REPAY","action_context":{"action_type":"COMET_REPAY","amount":"1000000109","asset_symbol":"USDC","chain_id":"8453","collateral_amounts":["1000000000000000000"],"collateral_asset_symbols":["WETH"],"collateral_token_prices":["300000000000"],"collateral_tokens":["0x4200000000000000000000000000000000000006"],"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef705","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"COMET_REPAY","action_context":{"chain_id":"8453","amount":"1000000109","asset_symbol":"USDC","collateral_amounts":["1000000000000000000"],"collateral_asset_symbols":["WETH"],"collateral_token_prices":["300000000000"],"collateral_tokens":["0x4200000000000000000000000000000000000006"],"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}],"depends_on":[]}],"eip712_data":{"digest":"0xcf379f9cb03c161933184d0938cf2b9c0da29e075c4ced8f96f283df48c29e64","domain_separator":"0x65e5ccc21ea9d73059218ac8f8c5b8e168964436fa79eaf58292cfece3ce54c1","hash_struct":"0xc64ab35e154f7fb306b2e0bbbc1431612014d3f83c7e2c476b1a75162a412b48"}},"expires_at":"2026-01-06T09:08:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      plan_failed: "route not found: the wallet owes no USDC to Compound USDC",
      invalid_api_key: "Invalid API key",
    },
  },
  planMigrate: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"amount":"1000000","asset":"USDC","from_protocol":"compound","to_protocol":"aave","network":"base","migrate_only_supply_balances":true},
    answers: {
      201: {"plan_id":"pln_4g34p6bdu5wx","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0xcc7d23e50945faf660a389fbb6f461d3234ddea7","script_sources":[],"script_calldata":"0xd9caed12000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000f4240","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"COMET_WITHDRAW","action_context":{"action_type":"COMET_WITHDRAW","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}},{"operation":{"nonce":"0xacebca6bbd21fcbb38da2ac98a610cf3aef440f1202e2d94f70a8cc27c0b2f03","is_replayable":false,"script_address":"0x99558b9768490ed4436bd6873377564a13b63c7f","script_sources":[],"script_calldata":"0x10cf1835000000000000000000000000a238dd80c259a72e81d7e4664a9801593f98d1c5000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda029130000000000000000000000000000000000000000000000000000000000000000","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"AAVE_SUPPLY","action_context":{"action_type":"AAVE_SUPPLY","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","aave_pool":"0xa238dd80c259a72e81d7e4664a9801593f98d1c5","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"nonce_secret":"0xacebca6bbd21fcbb38da2ac98a610cf3aef440f1202e2d94f70a8cc27c0b2f03","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"COMET_WITHDRAW","action_context":{"chain_id":"8453","amount":"1000000","asset_symbol":"USDC","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}],"depends_on":[]},{"type":"svc_operation","chain_id":"8453","operation_index":1,"expected_actions":[{"action_type":"AAVE_SUPPLY","action_context":{"chain_id":"8453","amount":"1000000","asset_symbol":"USDC","aave_pool":"0xa238dd80c259a72e81d7e4664a9801593f98d1c5","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}],"depends_on":[0]}],"eip712_data":{"digest":"0x41a40366bf47d88820530bf7a7a01b7b53fe1afdca3fda94145f00d8a4f8a84d","domain_separator":"0x239a1a912b2dedd393bbc3011f028a56f0c288b4a78458ae5402435c540e8893","hash_struct":"0xa6a9823ccc5899e457079727f81aaf57870c897b21ee324390788a35de83f269"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      plan_failed: "route not found: the wallet has no USDC position in Compound USDC on base",
      invalid_api_key: "Invalid API key",
    },
  },
  planReinvestRewards: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"asset":"USDC","protocol":"compound","network":"base","reward_assets":["COMP"]},
    answers: {
      201: {"plan_id":"pln_u21rrg55pxsi","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0x24af043ec3a9cd5e3060a93e86afaa1849632cb2","script_sources":[],"script_calldata":"0x8eec4474000000000000000000000000123964802e6ababbe1bc9547d72ef1b69b00a6b10000000000000000000000009e1028f5f1d5ede59748ffcee5532509976840e000000000000000000000000000000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000001000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"CLAIM_REWARDS","action_context":{"action_type":"CLAIM_REWARDS","amount":"25759000000000000","amounts":["25759000000000000"],"asset_symbol":"COMP","asset_symbols":["COMP"],"chain_id":"8453","prices":["5000000000"],"tokens":["0x9e1028f5f1d5ede59748ffcee5532509976840e0"]},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}},{"operation":{"nonce":"0xacebca6bbd21fcbb38da2ac98a610cf3aef440f1202e2d94f70a8cc27c0b2f03","is_replayable":false,"script_address":"0x2b8f1291b2ccd9ca40bb83f66b6c96897aa49127","script_sources":[],"script_calldata":"0x271e5bf80000000000000000000000000000000000000000000000000000000000000020000000000000000000000000e8555f3626677a4c980ac9e4ffde08a85b1c7473000000000000000000000000e8555f3626677a4c980ac9e4ffde08a85b1c74730000000000000000000000009e1028f5f1d5ede59748ffcee5532509976840e0000000000000000000000000000000000000000000000000005b83ac8cc4f000000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda029130000000000000000000000000000000000000000000000000000000000137240000000000000000000000000000000000000000000000000000000000000078a0000000000000000000000007ea8d6119596016935543d90ee8f5126285060a1000000000000000000000000000000000000000000000000000000000000012000000000000000000000000000000000000000000000000000000000000000a47b32b50e0000000000000000000000009e1028f5f1d5ede59748ffcee5532509976840e0000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913000000000000000000000000000000000000000000000000005b83ac8cc4f00000000000000000000000000000000000000000000000000000000000001372400000000000000000000000002461d9a0991a576327ee46ea387e4d8b35fd039c00000000000000000000000000000000000000000000000000000000","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"SWAP","action_context":{"action_type":"SWAP","amount":"25759000000000000","asset_symbol":"COMP","chain_id":"8453","fee_amounts":["1930"],"fee_asset_symbols":["USDC"],"fee_descriptions":["SVC_FEE"],"fee_token_prices":["100000000"],"fee_tokens":["0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"],"input_amount":"25759000000000000","input_asset_symbol":"COMP","input_token":"0x9e1028f5f1d5ede59748ffcee5532509976840e0","input_token_price":"5000000000","is_buy":false,"is_capped_max":false,"is_exact_out":false,"output_amount":"1287306","output_asset_symbol":"USDC","output_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","output_token_price":"100000000","use_filler":false},"nonce_secret":"0xacebca6bbd21fcbb38da2ac98a610cf3aef440f1202e2d94f70a8cc27c0b2f03","total_plays":"1","execution_type":"IMMEDIATE"}},{"operation":{"nonce":"0x7fbc1ceba84cf03c4ad9e690181fa20beeed8c7612877b6925c1f17beb251e03","is_replayable":false,"script_address":"0xb722135bcbb764b5d71aabbfbbba45bae64ddd79","script_sources":[],"script_calldata":"0x10cf1835000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda029130000000000000000000000000000000000000000000000000000000000000000","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"COMET_SUPPLY","action_context":{"action_type":"COMET_SUPPLY","amount":"1285376","asset_symbol":"USDC","chain_id":"8453","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"nonce_secret":"0x7fbc1ceba84cf03c4ad9e690181fa20beeed8c7612877b6925c1f17beb251e03","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"CLAIM_REWARDS","action_context":{"chain_id":"8453","amount":"25759000000000000","amounts":["25759000000000000"],"asset_symbol":"COMP","asset_symbols":["COMP"],"prices":["5000000000"],"tokens":["0x9e1028f5f1d5ede59748ffcee5532509976840e0"]}}],"depends_on":[]},{"type":"svc_operation","chain_id":"8453","operation_index":1,"expected_actions":[{"action_type":"SWAP","action_context":{"chain_id":"8453","amount":"25759000000000000","asset_symbol":"COMP","fee_amounts":["1930"],"fee_asset_symbols":["USDC"],"fee_descriptions":["SVC_FEE"],"fee_token_prices":["100000000"],"fee_tokens":["0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"],"input_amount":"25759000000000000","input_asset_symbol":"COMP","input_token":"0x9e1028f5f1d5ede59748ffcee5532509976840e0","input_token_price":"5000000000","is_buy":false,"is_capped_max":false,"is_exact_out":false,"output_amount":"1287306","output_asset_symbol":"USDC","output_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","output_token_price":"100000000","use_filler":false}}],"depends_on":[0]},{"type":"svc_operation","chain_id":"8453","operation_index":2,"expected_actions":[{"action_type":"COMET_SUPPLY","action_context":{"chain_id":"8453","amount":"1285376","asset_symbol":"USDC","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}],"depends_on":[1]}],"eip712_data":{"digest":"0x75c804921e4e6d9f99adfaa547dd3441e8fa8ce38edb60b991d5adfef6fe56f7","domain_separator":"0x239a1a912b2dedd393bbc3011f028a56f0c288b4a78458ae5402435c540e8893","hash_struct":"0xadee183bef8251cdc72d616bc0a6774c954cf694816ee3efaf33f2a767ca44cc"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      plan_failed: "no claimable rewards found: nothing owes COMP to the wallet on base",
      swap_quote_failed: "No quote for COMP -> USDC on base",
      invalid_api_key: "Invalid API key",
    },
  },
  planClaimRewards: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"asset":"COMP"},
    answers: {
      201: {"plan_id":"pln_bv3741q866j0","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0x24af043ec3a9cd5e3060a93e86afaa1849632cb2","script_sources":[],"script_calldata":"0x8eec4474000000000000000000000000123964802e6ababbe1bc9547d72ef1b69b00a6b10000000000000000000000009e1028f5f1d5ede59748ffcee5532509976840e000000000000000000000000000000000000000000000000000000000000000600000000000000000000000000000000000000000000000000000000000000001000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"CLAIM_REWARDS","action_context":{"action_type":"CLAIM_REWARDS","amount":"25759000000000000","amounts":["25759000000000000"],"asset_symbol":"COMP","asset_symbols":["COMP"],"chain_id":"8453","prices":["5000000000"],"tokens":["0x9e1028f5f1d5ede59748ffcee5532509976840e0"]},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"CLAIM_REWARDS","action_context":{"chain_id":"8453","amount":"25759000000000000","amounts":["25759000000000000"],"asset_symbol":"COMP","asset_symbols":["COMP"],"prices":["5000000000"],"tokens":["0x9e1028f5f1d5ede59748ffcee5532509976840e0"]}}],"depends_on":[]}],"eip712_data":{"digest":"0x94f59138147eefc7d9eae92f657ce3199433a30ec48efd10e3b19e1a1f38713d","domain_separator":"0x65e5ccc21ea9d73059218ac8f8c5b8e168964436fa79eaf58292cfece3ce54c1","hash_struct":"0x1c6bfce5f78d607d295e8ba6d310dfa60b0f0eca51154c0f8a02417e0e384795"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "asset is missing: it must be an asset symbol such as \"USDC\", as listed by GET /assets",
      plan_failed: "no claimable rewards found: nothing owes COMP to the wallet on any network",
      invalid_api_key: "Invalid API key",
    },
  },
  planLoopLong: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"exposure_asset":"WETH","backing_asset":"USDC","market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","is_increase":true,"exposure_amount":"1000000000000000000","max_swap_backing_amount":"3100000000","max_provided_backing_amount":"1500000000","pool_fee":500,"network":"base"},
    answers: {
      201: {"plan_id":"pln_nb3ev9c1t0wb","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0xad5ae4d8c14c02f9938d6c815bbcb48d0e225e15","script_sources":[],"script_calldata":"0x974034fd000000000000000000000000bbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda029130000000000000000000000004200000000000000000000000000000000000006000000000000000000000000fea2d58cefcb9fcb597723c6bae66ffe4193afe400000000000000000000000046415998764c29ab2a25cbea6254146d50d226870000000000000000000000000000000000000000000000000bef55718ad6000000000000000000000000000033128a8fc17869897dce68ed026d694621f6fdfd00000000000000000000000000000000000000000000000000000000000001f40000000000000000000000000000000000000000000000000de0b6b3a764000000000000000000000000000000000000000000000000000000000000b8c63f000000000000000000000000000000000000000000000000000000000059682f0000000000000000000000000000000000000000000000000000016bf18678340a0000000000000000000000007ea8d6119596016935543d90ee8f5126285060a1","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"LOOP_LONG","action_context":{"action_type":"LOOP_LONG","amount":"1000000000000000000","asset_symbol":"WETH","backing_asset_symbol":"USDC","backing_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","backing_token_price":"100000000","borrow_market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","borrow_venue":"MORPHO_BLUE","chain_id":"8453","exposure_asset_symbol":"WETH","exposure_token":"0x4200000000000000000000000000000000000006","exposure_token_price":"300000000000","exposure_amount":"1000000000000000000","fee_amount":"400160064025610","fee_asset_symbol":"WETH","fee_token":"0x4200000000000000000000000000000000000006","fee_token_price":"300000000000","is_increase":true,"max_provided_backing_amount":"1500000000","max_swap_backing_amount":"3100000000","swap_venue":"UNISWAP_V3"},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"LOOP_LONG","action_context":{"chain_id":"8453","amount":"1000000000000000000","asset_symbol":"WETH","backing_asset_symbol":"USDC","backing_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","backing_token_price":"100000000","borrow_market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","borrow_venue":"MORPHO_BLUE","exposure_asset_symbol":"WETH","exposure_token":"0x4200000000000000000000000000000000000006","exposure_token_price":"300000000000","exposure_amount":"1000000000000000000","fee_amount":"400160064025610","fee_asset_symbol":"WETH","fee_token":"0x4200000000000000000000000000000000000006","fee_token_price":"300000000000","is_increase":true,"max_provided_backing_amount":"1500000000","max_swap_backing_amount":"3100000000","swap_venue":"UNISWAP_V3"}}],"depends_on":[]}],"eip712_data":{"digest":"0x379d64a69c8c064392acbc89b5c5350264e0f30f9bd50a97547edb1ff4f01299","domain_separator":"0x65e5ccc21ea9d73059218ac8f8c5b8e168964436fa79eaf58292cfece3ce54c1","hash_struct":"0x0c6e0aa19878e97bcf2e379e81b27a02eaa07bd8d4fec705a4d6b3a2697233ae"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      plan_failed: "insufficient resources of USDC on base: target 1500000000, max 0; max_provided_backing_amount asks for that much of the wallet: provide less, and the rest is borrowed",
      invalid_api_key: "Invalid API key",
    },
  },
  planUnloopLong: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"exposure_asset":"WETH","backing_asset":"USDC","market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","exposure_amount":"max","backing_amount_to_exit":"0","min_swap_backing_amount":"2900000000","pool_fee":500,"network":"base"},
    answers: {
      201: {"plan_id":"pln_zivgsxeostyo","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0xb20a8a3dac20cd2a2d1ee018c86d50ed7f86150a","script_sources":[],"script_calldata":"0xea5b6d94000000000000000000000000bbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda029130000000000000000000000004200000000000000000000000000000000000006000000000000000000000000fea2d58cefcb9fcb597723c6bae66ffe4193afe400000000000000000000000046415998764c29ab2a25cbea6254146d50d226870000000000000000000000000000000000000000000000000bef55718ad6000000000000000000000000000033128a8fc17869897dce68ed026d694621f6fdfd00000000000000000000000000000000000000000000000000000000000001f4ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000acda7d00000000000000000000000000000000000000000000000000000000000011b3400000000000000000000000007ea8d6119596016935543d90ee8f5126285060a1","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"UNLOOP_LONG","action_context":{"action_type":"UNLOOP_LONG","amount":"1000000000000000000","asset_symbol":"WETH","backing_asset_symbol":"USDC","backing_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","backing_token_price":"100000000","borrow_market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","borrow_venue":"MORPHO_BLUE","chain_id":"8453","exposure_asset_symbol":"WETH","exposure_token":"0x4200000000000000000000000000000000000006","exposure_token_price":"300000000000","backing_amount_to_exit":"0","exposure_amount":"1000000000000000000","fee_amount":"1160000","fee_asset_symbol":"USDC","fee_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","fee_token_price":"100000000","min_swap_backing_amount":"2900000000","swap_venue":"UNISWAP_V3"},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"UNLOOP_LONG","action_context":{"chain_id":"8453","amount":"1000000000000000000","asset_symbol":"WETH","backing_asset_symbol":"USDC","backing_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","backing_token_price":"100000000","borrow_market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","borrow_venue":"MORPHO_BLUE","exposure_asset_symbol":"WETH","exposure_token":"0x4200000000000000000000000000000000000006","exposure_token_price":"300000000000","backing_amount_to_exit":"0","exposure_amount":"1000000000000000000","fee_amount":"1160000","fee_asset_symbol":"USDC","fee_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","fee_token_price":"100000000","min_swap_backing_amount":"2900000000","swap_venue":"UNISWAP_V3"}}],"depends_on":[]}],"eip712_data":{"digest":"0xa1ff29623e0e7ba1c9d74d7a51607d7b4eaa602fa2fb3d6ad57935296228a2ae","domain_separator":"0x65e5ccc21ea9d73059218ac8f8c5b8e168964436fa79eaf58292cfece3ce54c1","hash_struct":"0x2d383bf99c2b178c62c534ea283f12fec90b716c53f3bc7b44c8e1afa092ec46"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      invalid_api_key: "Invalid API key",
    },
  },
  planAddBacking: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"exposure_asset":"WETH","backing_asset":"USDC","market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","amount":"1000000","is_short":false,"network":"base"},
    answers: {
      201: {"plan_id":"pln_kx9xkd0rytjp","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0xc9d2933a8d102e9b8025472496c7055e8729171a","script_sources":[],"script_calldata":"0xae8adba7000000000000000000000000bbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda029130000000000000000000000004200000000000000000000000000000000000006000000000000000000000000fea2d58cefcb9fcb597723c6bae66ffe4193afe400000000000000000000000046415998764c29ab2a25cbea6254146d50d226870000000000000000000000000000000000000000000000000bef55718ad6000000000000000000000000000000000000000000000000000000000000000f42400000000000000000000000000000000000000000000000000000000000000000","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"ADD_BACKING_TOKEN","action_context":{"action_type":"ADD_BACKING_TOKEN","amount":"1000000","asset_symbol":"USDC","backing_asset_symbol":"USDC","backing_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","backing_token_price":"100000000","borrow_market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","borrow_venue":"MORPHO_BLUE","chain_id":"8453","exposure_asset_symbol":"WETH","exposure_token":"0x4200000000000000000000000000000000000006","exposure_token_price":"300000000000","is_short":false},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"ADD_BACKING_TOKEN","action_context":{"chain_id":"8453","amount":"1000000","asset_symbol":"USDC","backing_asset_symbol":"USDC","backing_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","backing_token_price":"100000000","borrow_market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","borrow_venue":"MORPHO_BLUE","exposure_asset_symbol":"WETH","exposure_token":"0x4200000000000000000000000000000000000006","exposure_token_price":"300000000000","is_short":false}}],"depends_on":[]}],"eip712_data":{"digest":"0xc14ee2f60ff7ca78291e53e439e0a1f5268f626a4d24c7ff00d8ea3c67f5a1a4","domain_separator":"0x65e5ccc21ea9d73059218ac8f8c5b8e168964436fa79eaf58292cfece3ce54c1","hash_struct":"0xe17bd57c9412f9c36b5a84d6d8175c81d0e7acdf008feb5488225bb74e263d06"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      invalid_api_key: "Invalid API key",
    },
  },
  planWithdrawBacking: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"exposure_asset":"WETH","backing_asset":"USDC","market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","amount":"1000000","is_short":false,"network":"base"},
    answers: {
      201: {"plan_id":"pln_k9nfo6x1ukb3","details":{"version":"1.6.0","svc_operation_actions":[{"operation":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","is_replayable":false,"script_address":"0xc9d2933a8d102e9b8025472496c7055e8729171a","script_sources":[],"script_calldata":"0xa927d433000000000000000000000000bbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda029130000000000000000000000004200000000000000000000000000000000000006000000000000000000000000fea2d58cefcb9fcb597723c6bae66ffe4193afe400000000000000000000000046415998764c29ab2a25cbea6254146d50d226870000000000000000000000000000000000000000000000000bef55718ad60000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000f4240","expiry":"1767691141"},"action":{"chain_id":"8453","svc_account":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","action_type":"WITHDRAW_BACKING_TOKEN","action_context":{"action_type":"WITHDRAW_BACKING_TOKEN","amount":"1000000","asset_symbol":"USDC","backing_asset_symbol":"USDC","backing_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","backing_token_price":"100000000","borrow_market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","borrow_venue":"MORPHO_BLUE","chain_id":"8453","exposure_asset_symbol":"WETH","exposure_token":"0x4200000000000000000000000000000000000006","exposure_token_price":"300000000000","is_short":false},"nonce_secret":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef703","total_plays":"1","execution_type":"IMMEDIATE"}}],"steps":[{"type":"svc_operation","chain_id":"8453","operation_index":0,"expected_actions":[{"action_type":"WITHDRAW_BACKING_TOKEN","action_context":{"chain_id":"8453","amount":"1000000","asset_symbol":"USDC","backing_asset_symbol":"USDC","backing_token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","backing_token_price":"100000000","borrow_market_id":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","borrow_venue":"MORPHO_BLUE","exposure_asset_symbol":"WETH","exposure_token":"0x4200000000000000000000000000000000000006","exposure_token_price":"300000000000","is_short":false}}],"depends_on":[]}],"eip712_data":{"digest":"0xaf4e1560c04b965c9ef43bcf03252afd5052baf46855bc0c1226a567564688ee","domain_separator":"0x65e5ccc21ea9d73059218ac8f8c5b8e168964436fa79eaf58292cfece3ce54c1","hash_struct":"0x162955634a3f2a13e04e7d69de5754d769f87244deef1a7a8ced5604410a2e6e"}},"expires_at":"2026-01-06T09:06:01Z"},
    },
    errors: {
      invalid_params: "network must be one of mainnet, base, arbitrum, optimism, polygon, received \"x\"",
      invalid_api_key: "Invalid API key",
    },
  },
  executePlan: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    body: {"plan_id":"pln_93ulgpxeh26h","signature":"0x155cc0098765b474e9dd57c2e8cb4ff5b730f8ea0b2fb7ed794dbea4ad589fad17353ccf00483a418ba2553565d88d45bad17685718ee3ac1726febc710553001b"},
    answers: {
      200: {"plan_id":"pln_93ulgpxeh26h","svc_intent_id":"qi_pqkgnhe4fdl0","activity_id":"act_zrnflmg5fvzf","status":"executing"},
    },
    errors: {
      invalid_params: "signature is missing: it must be the signature of the digest: 0x and 130 hex digits",
      plan_not_found: "Plan not found: pln_3vd81mz5c0xe",
      plan_stale: "The underlying data of the plan has changed; create a new plan",
      internal_error: "Signature verification failed",
      invalid_api_key: "Invalid API key",
    },
  },
  listActivities: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    answers: {
      200: {"activities":[{"id":1,"activity_id":"act_zrnflmg5fvzf","account_id":"acc_3ibag02pq3p0","plan_id":"pln_93ulgpxeh26h","svc_intent_id":"qi_pqkgnhe4fdl0","svc_intent":{"id":1,"planner_version":"1.6.0","intent_type":"supply","intent":{"chain_id":8453,"asset_symbol":"USDC","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","amount":"1000000","market_type":"COMET","market":"0xb125e6687d4313864e53df431d5425969c15eb2f","sender":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","block_timestamp":1767603600}},"activity_type":"svc_operation_executed","activity_status":"confirmed","status":"completed","occurred_at":"2026-01-05T09:00:00Z","updated_at":"2026-01-05T09:00:00Z","activity_metadata":[{"from":"0x05405868e0dcb9b5f6a90eaf50cd6a275abbf6b8","to":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","payment_method":"sponsored","expiry":1767604500,"gas_used":"211668","gas_price":"1000000007","gas_overhead":"0","gas_estimate":"","executed_at":"2026-01-05T09:00:00Z","executed_at_block_number":428,"reverted_at":null,"revert_reason":null,"revert_signature":null,"revert_values":null,"activity_record_type":"executed","success":true,"chain_id":8453,"transaction_hash":"0x6b493327da8cebb1e6f38f85eff1517dd758cc961ed60f0cca0464c5e2e4cf93","svc_wallet_address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","svc_operation_nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700","action_type":"COMET_SUPPLY","action_context":{"action_type":"COMET_SUPPLY","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"semantic_events":[{"event_type":"comet_supply_base","log_indices":[4],"event_metadata":{"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","amount":"1000000","dollar_value":"100000000"}}],"updated_at":"2026-01-05T09:00:00Z","svc_wallet_id":1,"svc_operation_id":1,"svc_execution_id":1}],"executions":[{"execution_type":"transaction","chain_id":8453,"transaction_hash":"0x6b493327da8cebb1e6f38f85eff1517dd758cc961ed60f0cca0464c5e2e4cf93","status":"executed","executed_at":"2026-01-05T09:00:00Z","reverted_at":null,"actions":[{"action_type":"COMET_SUPPLY","expected_values":{"amount":"1000000","asset_symbol":"USDC","chain_id":8453,"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"1","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"observed_values":{"amount":"1000000","asset_symbol":"USDC","chain_id":8453,"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"1","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}]}]}]},
    },
    errors: {
      invalid_api_key: "Invalid API key",
    },
  },
  getAccountActivity: {
    path: {"account_id":"acc_3ibag02pq3p0","activity_id":"act_zrnflmg5fvzf"},
    answers: {
      200: {"id":1,"activity_id":"act_zrnflmg5fvzf","account_id":"acc_3ibag02pq3p0","plan_id":"pln_93ulgpxeh26h","svc_intent_id":"qi_pqkgnhe4fdl0","svc_intent":{"id":1,"planner_version":"1.6.0","intent_type":"supply","intent":{"chain_id":8453,"asset_symbol":"USDC","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","amount":"1000000","market_type":"COMET","market":"0xb125e6687d4313864e53df431d5425969c15eb2f","sender":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","block_timestamp":1767603600}},"activity_type":"svc_operation_executed","activity_status":"confirmed","status":"completed","occurred_at":"2026-01-05T09:00:00Z","updated_at":"2026-01-05T09:00:00Z","activity_metadata":[{"from":"0x05405868e0dcb9b5f6a90eaf50cd6a275abbf6b8","to":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","payment_method":"sponsored","expiry":1767604500,"gas_used":"211668","gas_price":"1000000007","gas_overhead":"0","gas_estimate":"","executed_at":"2026-01-05T09:00:00Z","executed_at_block_number":428,"reverted_at":null,"revert_reason":null,"revert_signature":null,"revert_values":null,"activity_record_type":"executed","success":true,"chain_id":8453,"transaction_hash":"0x6b493327da8cebb1e6f38f85eff1517dd758cc961ed60f0cca0464c5e2e4cf93","svc_wallet_address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","svc_operation_nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700","action_type":"COMET_SUPPLY","action_context":{"action_type":"COMET_SUPPLY","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"semantic_events":[{"event_type":"comet_supply_base","log_indices":[4],"event_metadata":{"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","amount":"1000000","dollar_value":"100000000"}}],"updated_at":"2026-01-05T09:00:00Z","svc_wallet_id":1,"svc_operation_id":1,"svc_execution_id":1}],"executions":[{"execution_type":"transaction","chain_id":8453,"transaction_hash":"0x6b493327da8cebb1e6f38f85eff1517dd758cc961ed60f0cca0464c5e2e4cf93","status":"executed","executed_at":"2026-01-05T09:00:00Z","reverted_at":null,"actions":[{"action_type":"COMET_SUPPLY","expected_values":{"amount":"1000000","asset_symbol":"USDC","chain_id":8453,"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"1","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"observed_values":{"amount":"1000000","asset_symbol":"USDC","chain_id":8453,"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"1","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}]}]},
    },
    errors: {
      not_found: "There is no activity act_000000000000",
      invalid_api_key: "Invalid API key",
    },
  },
  getActivity: {
    path: {"activity_id":"act_zrnflmg5fvzf"},
    answers: {
      200: {"id":1,"activity_id":"act_zrnflmg5fvzf","account_id":"acc_3ibag02pq3p0","plan_id":"pln_93ulgpxeh26h","svc_intent_id":"qi_pqkgnhe4fdl0","svc_intent":{"id":1,"planner_version":"1.6.0","intent_type":"supply","intent":{"chain_id":8453,"asset_symbol":"USDC","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","amount":"1000000","market_type":"COMET","market":"0xb125e6687d4313864e53df431d5425969c15eb2f","sender":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","block_timestamp":1767603600}},"activity_type":"svc_operation_executed","activity_status":"confirmed","status":"completed","occurred_at":"2026-01-05T09:00:00Z","updated_at":"2026-01-05T09:00:00Z","activity_metadata":[{"from":"0x05405868e0dcb9b5f6a90eaf50cd6a275abbf6b8","to":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","payment_method":"sponsored","expiry":1767604500,"gas_used":"211668","gas_price":"1000000007","gas_overhead":"0","gas_estimate":"","executed_at":"2026-01-05T09:00:00Z","executed_at_block_number":428,"reverted_at":null,"revert_reason":null,"revert_signature":null,"revert_values":null,"activity_record_type":"executed","success":true,"chain_id":8453,"transaction_hash":"0x6b493327da8cebb1e6f38f85eff1517dd758cc961ed60f0cca0464c5e2e4cf93","svc_wallet_address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","svc_operation_nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700","action_type":"COMET_SUPPLY","action_context":{"action_type":"COMET_SUPPLY","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"semantic_events":[{"event_type":"comet_supply_base","log_indices":[4],"event_metadata":{"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913","amount":"1000000","dollar_value":"100000000"}}],"updated_at":"2026-01-05T09:00:00Z","svc_wallet_id":1,"svc_operation_id":1,"svc_execution_id":1}],"executions":[{"execution_type":"transaction","chain_id":8453,"transaction_hash":"0x6b493327da8cebb1e6f38f85eff1517dd758cc961ed60f0cca0464c5e2e4cf93","status":"executed","executed_at":"2026-01-05T09:00:00Z","reverted_at":null,"actions":[{"action_type":"COMET_SUPPLY","expected_values":{"amount":"1000000","asset_symbol":"USDC","chain_id":8453,"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"1","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"observed_values":{"amount":"1000000","asset_symbol":"USDC","chain_id":8453,"comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"1","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}}]}]},
    },
    errors: {
      not_found: "There is no activity act_000000000000",
      invalid_api_key: "Invalid API key",
    },
  },
  listEvents: {
    path: {"account_id":"acc_3ibag02pq3p0"},
    answers: {
      200: {"events":[{"event_type":"activity_updated","data":{"activity_id":"act_zrnflmg5fvzf","activity_type":"svc_operation_executed","activity_status":"pending"},"timestamp":1767603600},{"event_type":"activity_updated","data":{"activity_id":"act_zrnflmg5fvzf","activity_type":"svc_operation_executed","activity_status":"confirmed"},"timestamp":1767603600}],"cursor":1767603601},
    },
    errors: {
      invalid_params: "since must be an integer from 0 to 2^53-1, given once, received \"-1\"",
      invalid_api_key: "Invalid API key",
    },
  },
  getLiveness: {
    answers: {
      200: {"status":"live"},
    },
    errors: {},
  },
  getReadiness: {
    answers: {
      200: {"status":"ready","networks":{"mainnet":{"chain_id":1,"ready":true},"base":{"chain_id":8453,"ready":true},"arbitrum":{"chain_id":42161,"ready":true},"optimism":{"chain_id":10,"ready":true},"polygon":{"chain_id":137,"ready":true}}},
      503: {"status":"not_ready","networks":{"mainnet":{"chain_id":1,"ready":true},"base":{"chain_id":8453,"ready":false,"error":"no answer within 2000 ms"},"arbitrum":{"chain_id":42161,"ready":true},"optimism":{"chain_id":10,"ready":true},"polygon":{"chain_id":137,"ready":true}}},
    },
    errors: {},
  },
  getEntryPoints: {
    answers: {
      200: {"api":"/","docs":"/docs","openapi":"/openapi.json","health":"/health/ready"},
    },
    errors: {},
  },
  getOpenapi: {
    answers: {
      200: {"openapi":"3.1.0"},
    },
    errors: {},
  },
  getOpenapi30: {
    answers: {
      200: {"openapi":"3.0.3"},
    },
    errors: {},
  },
  getOpenapiYaml: {
    answers: {
      200: "openapi: 3.1.0\n",
    },
    errors: {},
  },
  getIndex: {
    answers: {
      200: {"name":"svc-sim","version":"0.1.0","process":4242,"startedIn":"/home/me/project","dataDir":null,"document":"/_sim/openapi.json","pages":{"dashboard":"/_sim/ui/","documentation":"/_sim/docs/","service":"/docs/","control":"/_sim/openapi/"},"connect":"/_sim/connect","overview":"/_sim/overview"},
    },
    errors: {},
  },
  getConnection: {
    answers: {
      200: {"url":"http://127.0.0.1:4477","apiKey":"qk_local0_00000000000000000000","controlUrl":"http://127.0.0.1:4477/_sim","docsUrl":"http://127.0.0.1:4477/docs/","ui":"http://127.0.0.1:4477/_sim/ui/","rpc":{"mainnet":"http://127.0.0.1:4477/rpc/mainnet","base":"http://127.0.0.1:4477/rpc/base","arbitrum":"http://127.0.0.1:4477/rpc/arbitrum","optimism":"http://127.0.0.1:4477/rpc/optimism","polygon":"http://127.0.0.1:4477/rpc/polygon"},"chainIds":{"mainnet":1,"base":8453,"arbitrum":42161,"optimism":10,"polygon":137},"actors":[{"address":"0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266","privateKey":"0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"},{"address":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","privateKey":"0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"}],"contracts":{"factory":"0x77670038488af562d9a700044654c0c45bb300d7","walletImplementation":"0xdf000faa2303daa807ef5990984f82d4f37097e4","nonceManager":"0x0d0083ca95d898d1943ad850721e83b5c21ee0a4","scriptStore":"0x84d050b036728138c77271eba6fd238d56b177e1","exchange":"0xe8555f3626677a4c980ac9e4ffde08a85b1c7473","priceHub":"0x1c276c18172e9f3c491efd650896daaa1b4bf844","script cometSupply":"0xb722135bcbb764b5d71aabbfbbba45bae64ddd79","script cometWithdraw":"0xcc7d23e50945faf660a389fbb6f461d3234ddea7","script aaveActions":"0x99558b9768490ed4436bd6873377564a13b63c7f","script vaultActions":"0x6a3994fb0c1bbe56949127220f1f7189051ca9d3","script transfer":"0x95b844178488fa4ad8d9d9e9f679bee56fa15ba4","script swap":"0x2b8f1291b2ccd9ca40bb83f66b6c96897aa49127","script wrap":"0x36771507b685750262d284badf17b210fa426b35","script acrossDeposit":"0x1ad6b34ab303806373efd117e2c21a5e37e24b45","script cometBorrow":"0x850df3db193d9a4e8fa898986259461b00e80779","script cometRepay":"0xd9a8692804b7c33d71ff96d80c63e836a42811cf","script morphoActions":"0xc9d2933a8d102e9b8025472496c7055e8729171a","script loopLong":"0xad5ae4d8c14c02f9938d6c815bbcb48d0e225e15","script unloopLong":"0xb20a8a3dac20cd2a2d1ee018c86d50ed7f86150a","script cometClaimRewards":"0x24af043ec3a9cd5e3060a93e86afaa1849632cb2","script morphoClaimRewards":"0xe97df2d8bf618bcacbcf5c7ac5b0e2ba479335e6"},"snippets":{"curl":"curl -sS http://127.0.0.1:4477/networks -H 'Authorization: Bearer qk_local0_00000000000000000000'\n","viem":"import { createPublicClient, defineChain, http } from 'viem'\n\nconst chain = defineChain({\n  id: 8453,\n  name: 'Base',\n  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },\n  rpcUrls: { default: { http: ['http://127.0.0.1:4477/rpc/base'] } },\n})\nconst client = createPublicClient({ chain, transport: http() })\nconsole.log(await client.getBlockNumber())\n","ethers":"import { JsonRpcProvider } from 'ethers'\n\nconst provider = new JsonRpcProvider('http://127.0.0.1:4477/rpc/base', 8453, { staticNetwork: true })\nconsole.log(await provider.getBlockNumber())\n","python":"import json, urllib.request\n\nrequest = urllib.request.Request(\"http://127.0.0.1:4477/networks\", headers={\"Authorization\": \"Bearer qk_local0_00000000000000000000\"})\nprint(json.load(urllib.request.urlopen(request)))\n","dotenv":"SVC_BASE_URL=http://127.0.0.1:4477\nSVC_API_KEY=qk_local0_00000000000000000000\nSVC_CONTROL_URL=http://127.0.0.1:4477/_sim\nSVC_RPC_MAINNET=http://127.0.0.1:4477/rpc/mainnet\nSVC_RPC_BASE=http://127.0.0.1:4477/rpc/base\nSVC_RPC_ARBITRUM=http://127.0.0.1:4477/rpc/arbitrum\nSVC_RPC_OPTIMISM=http://127.0.0.1:4477/rpc/optimism\nSVC_RPC_POLYGON=http://127.0.0.1:4477/rpc/polygon\n","wallet":"Wallets refuse a second network with the same chain id.\nEdit the network that is there, and change its RPC URL:\n  Ethereum (chain id 1): http://127.0.0.1:4477/rpc/mainnet\n  Base (chain id 8453): http://127.0.0.1:4477/rpc/base\n  Arbitrum One (chain id 42161): http://127.0.0.1:4477/rpc/arbitrum\n  OP Mainnet (chain id 10): http://127.0.0.1:4477/rpc/optimism\n  Polygon (chain id 137): http://127.0.0.1:4477/rpc/polygon\nUse a browser profile that holds no real funds.\n"}},
    },
    errors: {},
  },
  getOverview: {
    answers: {
      200: {"clock":{"now":"2026-01-05T09:02:01Z","unix_ms":1767603721000,"mode":"frozen"},"faults":[],"snapshots":[{"id":"snp_1","name":"funded","at":"2026-01-05T09:00:00Z"}],"prices":{"COMP":"50","DAI":"1","ETH":"3000","MORPHO":"2","POL":"0.5","USDC":"1","USDC.e":"1","USDT":"1","USDT0":"1","USDbC":"1","WBTC":"90000","WETH":"3000","WPOL":"0.5","cbBTC":"90000","cbETH":"3300","wstETH":"3600"},"api_keys":["qk_local0_00000000000000000000"],"networks":[{"network":"mainnet","chain_id":1,"ready":true,"error":null,"mining":null,"forked_from":null,"height":627,"time":"2026-01-05T09:02:01Z"},{"network":"base","chain_id":8453,"ready":true,"error":null,"mining":null,"forked_from":null,"height":429,"time":"2026-01-05T09:02:01Z"}],"plans":[],"ended_plans":[],"present":[{"after":0,"until":null}],"last_reset":null,"bridges":[],"failed":[],"repeated":[],"failures":1,"events":[{"account_id":"acc_3ibag02pq3p0","cursor":1767603602,"activity_id":"act_zrnflmg5fvzf","activity_status":"confirmed","timestamp":1767603600},{"account_id":"acc_3ibag02pq3p0","cursor":1767603601,"activity_id":"act_zrnflmg5fvzf","activity_status":"confirmed","timestamp":1767603600}],"accounts":[{"account_id":"acc_3ibag02pq3p0","usd":"9.999999","unix_ms":1767603721000}]},
    },
    errors: {},
  },
  listAllAccounts: {
    answers: {
      200: {"accounts":[{"account_id":"acc_3ibag02pq3p0","signer_type":"eoa","signer_address":"0xe1fae9b4fab2f5726677ecfa912d96b0b683e6a9","svc_wallet_address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","created_at":"2026-01-05T09:00:00Z","prime_account_id":"svc_3kib3ffctntw"}],"total":1},
    },
    errors: {
      invalid_params: "limit must be an integer from 1 to 1000, given once, received \"0\"",
    },
  },
  inspectAccount: {
    path: {"id":"acc_3ibag02pq3p0"},
    answers: {
      200: {"account":{"account_id":"acc_3ibag02pq3p0","signer_type":"eoa","signer_address":"0xe1fae9b4fab2f5726677ecfa912d96b0b683e6a9","svc_wallet_address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","created_at":"2026-01-05T09:00:00Z","prime_account_id":"svc_3kib3ffctntw"},"api_key":"qk_local0_00000000000000000000","folio":{"balances":{"token/base/USDC/0x2461d9a0991a576327ee46ea387e4d8b35fd039c":"9e6","yield_market/comet/base/0xb125e6687d4313864e53df431d5425969c15eb2f/USDC/0x2461d9a0991a576327ee46ea387e4d8b35fd039c":"0.999999e6"},"prices":{"token/POL":"0.5","token/WPOL":"0.5"},"yield_markets":{"comet/ethereum/0xc3d688b66703497daa19211eedff47f25384cdc3/USDC":{"supply_apr":"0.023724999974304","supply_rewards_apr":"0.003302902896286593","supply_cap":null,"total_supply":"55254424.889092e6"},"comet/ethereum/0xa17581a9e3356d9a858b789d68b4d866e593ae94/WETH":{"supply_apr":"0.023557392","supply_rewards_apr":"0.021244207590077451","supply_cap":null,"total_supply":"11081.844262791413310216e18"}},"borrow_markets":{"comet/ethereum/0xc3d688b66703497daa19211eedff47f25384cdc3/USDC":{"borrow_apr":"0.040549999938768","borrow_rewards_apr":"0","borrow_cap":null,"total_borrow":"41006411.310489e6","base_borrow_min":"100e6","collaterals":{"COMP":{"borrow_collateral_factor":"0.5","liquidate_collateral_factor":"0.7","liquidation_factor":"0.75","supply_cap":"100000e18","total_supply":"30000e18","usd_price":"50"},"WBTC":{"borrow_collateral_factor":"0.8","liquidate_collateral_factor":"0.85","liquidation_factor":"0.9","supply_cap":"10000e8","total_supply":"222.22222222e8","usd_price":"90000"},"WETH":{"borrow_collateral_factor":"0.825","liquidate_collateral_factor":"0.895","liquidation_factor":"0.95","supply_cap":"500000e18","total_supply":"6666.666666666666666666e18","usd_price":"3000"},"wstETH":{"borrow_collateral_factor":"0.82","liquidate_collateral_factor":"0.87","liquidation_factor":"0.92","supply_cap":"40000e18","total_supply":"5555.555555555555555555e18","usd_price":"3600"},"cbBTC":{"borrow_collateral_factor":"0.8","liquidate_collateral_factor":"0.85","liquidation_factor":"0.95","supply_cap":"900e8","total_supply":"222.22222222e8","usd_price":"90000"}}},"comet/ethereum/0xa17581a9e3356d9a858b789d68b4d866e593ae94/WETH":{"borrow_apr":"0.0528686596512","borrow_rewards_apr":"0","borrow_cap":null,"total_borrow":"9464.412521369302597756e18","base_borrow_min":"0.1e18","collaterals":{"cbETH":{"borrow_collateral_factor":"0.9","liquidate_collateral_factor":"0.93","liquidation_factor":"0.975","supply_cap":"10000e18","total_supply":"3000e18","usd_price":"3300"},"wstETH":{"borrow_collateral_factor":"0.9","liquidate_collateral_factor":"0.93","liquidation_factor":"0.975","supply_cap":"64500e18","total_supply":"5555.555555555555555555e18","usd_price":"3600"},"WBTC":{"borrow_collateral_factor":"0.8","liquidate_collateral_factor":"0.85","liquidation_factor":"0.9","supply_cap":"1000e8","total_supply":"222.22222222e8","usd_price":"90000"},"cbBTC":{"borrow_collateral_factor":"0.8","liquidate_collateral_factor":"0.85","liquidation_factor":"0.95","supply_cap":"93e8","total_supply":"27.9e8","usd_price":"90000"}}}},"rewards":{},"swap_hints":{"wrapper/ethereum/ETH/ethereum/WETH":{"exchange_rate":"1","min_amount":"0e18","max_amount":null},"wrapper/base/ETH/base/WETH":{"exchange_rate":"1","min_amount":"0e18","max_amount":null}},"bridge_hints":{"across/ethereum/USDC/base/USDC":{"estimated_fill_time_sec":2,"fixed_cost":"0.003e6","max_amount":"3000000e6","max_amount_instant":"3000000e6","min_amount":"0.6e6","rate":"0.9999"},"across/ethereum/WETH/base/WETH":{"estimated_fill_time_sec":2,"fixed_cost":"0.000001e18","max_amount":"1000e18","max_amount_instant":"1000e18","min_amount":"0.0002e18","rate":"0.9999"}},"hex_data":{"nonce_secret/ethereum/0x2461d9a0991a576327ee46ea387e4d8b35fd039c":"0xaaf4521a3eef0f08bc5190b0019e380dbfd572a42f45a5d6379b70799f404a00","nonce_secret/base/0x2461d9a0991a576327ee46ea387e4d8b35fd039c":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef701"},"completion_statuses":{"svc_nonce/0x2461d9a0991a576327ee46ea387e4d8b35fd039c/0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700":true},"patches":{}},"missing":[],"values":[{"unix_ms":1767603721000,"usd":"9.999999"},{"unix_ms":1767603721000,"usd":"9.999999"}],"activities":[{"activity_id":"act_zrnflmg5fvzf","plan_id":"pln_93ulgpxeh26h","activity_type":"svc_operation_executed","activity_status":"confirmed","occurred_at":"2026-01-05T09:00:00Z","updated_at":"2026-01-05T09:00:00Z","items":[{"action_type":"COMET_SUPPLY","action_context":{"action_type":"COMET_SUPPLY","amount":"1000000","asset_symbol":"USDC","chain_id":"8453","comet":"0xb125e6687d4313864e53df431d5425969c15eb2f","price":"100000000","token":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"},"state":"done","network":"base"}]}],"events":[{"cursor":1767603601,"activity_id":"act_zrnflmg5fvzf","activity_status":"confirmed","timestamp":1767603600},{"cursor":1767603600,"activity_id":"act_zrnflmg5fvzf","activity_status":"pending","timestamp":1767603600}]},
    },
    errors: {
      not_found: "There is no account acc_000000000000",
    },
  },
  fundWallet: {
    body: {"account_id":"acc_3ibag02pq3p0","asset":"USDC","amount":"10000000","network":"base"},
    answers: {
      200: {"address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","asset":"USDC","network":"base","balance":"10000000"},
    },
    errors: {
      invalid_params: "exactly one of account_id and address must be given",
      account_not_found: "There is no account acc_000000000000",
      conflict: "The base network mines no blocks, since its mining is switched off; nothing was given",
      timeout: "The base node does not say what became of the gift; it may be given later",
    },
  },
  grantRewards: {
    body: {"account_id":"acc_3ibag02pq3p0","network":"base","asset":"MORPHO","amount":"5000000000000000000"},
    answers: {
      200: {"address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","asset":"MORPHO","network":"base","owed":"5000000000000000000"},
    },
    errors: {
      invalid_params: "asset: \"COMP\" cannot be granted: the rewards distributor on base pays MORPHO only",
      account_not_found: "There is no account acc_000000000000",
      conflict: "The base network mines no blocks, since its mining is switched off; nothing was granted",
    },
  },
  takeSnapshot: {
    body: {"name":"funded"},
    answers: {
      201: {"id":"snp_1","name":"funded","at":"2026-01-05T09:00:00Z"},
    },
    errors: {
      invalid_params: "name must be 1 to 64 letters, digits, spaces and . _ : - and must not begin with \"snp_\", nor be \".\" or \"..\", which no path can name, received \"a/b\"",
    },
  },
  listSnapshots: {
    answers: {
      200: {"snapshots":[{"id":"snp_1","name":"funded","at":"2026-01-05T09:00:00Z"}]},
    },
    errors: {},
  },
  restoreSnapshot: {
    path: {"id":"snp_1"},
    answers: {
      200: {"id":"snp_1","name":"funded","at":"2026-01-05T09:00:00Z","dropped":["snp_2"]},
    },
    errors: {
      not_found: "There is no snapshot snp_2 any more: it was taken after snp_1, which has been restored",
    },
  },
  deleteSnapshot: {
    path: {"id":"snp_1"},
    answers: {
      200: {"id":"snp_1","name":"funded","at":"2026-01-05T09:00:00Z"},
    },
    errors: {
      not_found: "There is no snapshot snp_4 any more: it was taken after snp_3, which has been restored",
    },
  },
  resetSimulator: {
    answers: {
      200: {"at":"2026-01-05T09:00:00Z","dropped":["snp_3"]},
    },
    errors: {
      invalid_params: "The request body is nested too deep: JSON is taken up to a depth of 64 objects and arrays; this one goes deeper",
    },
  },
  getClock: {
    answers: {
      200: {"now":"2026-01-05T09:00:00Z","unix_ms":1767603600000,"mode":"frozen"},
    },
    errors: {},
  },
  advanceClock: {
    body: {"seconds":121},
    answers: {
      200: {"now":"2026-01-05T09:02:01Z","unix_ms":1767603721000,"mode":"frozen"},
    },
    errors: {
      invalid_params: "seconds must be a number of seconds, 0 or more, such as 121 or 0.5, received -1",
      conflict: "The clock was not moved: the execution of act_4f9a0c2b7d1e does not end",
    },
  },
  freezeClock: {
    body: {"at":"2026-03-01T00:00:00Z"},
    answers: {
      200: {"now":"2026-03-01T00:00:00Z","unix_ms":1772323200000,"mode":"frozen"},
    },
    errors: {
      invalid_params: "at must be an ISO 8601 instant with a zone, such as \"2026-01-01T00:00:00Z\", received \"tomorrow\"",
      conflict: "The clock was not moved: the execution of act_4f9a0c2b7d1e does not end",
    },
  },
  resumeClock: {
    answers: {
      200: {"now":"2026-03-01T00:00:00Z","unix_ms":1772323200000,"mode":"real"},
    },
    errors: {
      invalid_params: "The request body is nested too deep: JSON is taken up to a depth of 64 objects and arrays; this one goes deeper",
    },
  },
  skipClock: {
    answers: {
      200: {"now":"2026-02-01T00:00:01Z","unix_ms":1769904001000,"mode":"auto"},
    },
    errors: {
      invalid_params: "The request body is nested too deep: JSON is taken up to a depth of 64 objects and arrays; this one goes deeper",
      conflict: "The clock was not moved: the execution of act_4f9a0c2b7d1e does not end",
    },
  },
  waitForClock: {
    body: {"seconds":1},
    answers: {
      200: {"now":"2026-02-01T00:00:01Z","unix_ms":1769904001000,"mode":"frozen"},
    },
    errors: {
      invalid_params: "seconds must be a number of seconds, 0 or more, such as 121 or 0.5, received -1",
    },
  },
  listFaults: {
    answers: {
      200: {"faults":[{"id":"slow_earn","on":"request","effect":{"latency":{"ms":200}},"match":{"kind":"earn"},"after":1,"times":2,"seen":0,"hits":0}]},
    },
    errors: {},
  },
  addFault: {
    body: {"id":"slow_earn","on":"request","match":{"kind":"earn"},"effect":{"latency":{"ms":200}},"after":1,"times":2},
    answers: {
      201: {"id":"slow_earn","on":"request","effect":{"latency":{"ms":200}},"match":{"kind":"earn"},"after":1,"times":2,"seen":0,"hits":0},
    },
    errors: {
      invalid_params: "seam quote has no effect \"slow\"; it has unavailable, http_error, timeout, malformed, expired, slippage, drain",
      conflict: "Too many fault rules: 1001 (the limit is 1000)",
    },
  },
  replaceFaults: {
    body: [{"id":"slow_earn","on":"request","match":{"kind":"earn"},"effect":{"latency":{"ms":200}},"after":1,"times":2}],
    answers: {
      200: {"faults":[{"id":"slow_earn","on":"request","effect":{"latency":{"ms":200}},"match":{"kind":"earn"},"after":1,"times":2,"seen":0,"hits":0}]},
    },
    errors: {
      invalid_params: "seam quote has no effect \"slow\"; it has unavailable, http_error, timeout, malformed, expired, slippage, drain",
      conflict: "A rule with chain.down keeps base from answering; the rule was not added",
    },
  },
  removeFaults: {
    answers: {
      200: {"faults":[{"id":"slow_earn","on":"request","effect":{"latency":{"ms":200}},"match":{"kind":"earn"},"after":1,"times":2,"seen":0,"hits":0}]},
    },
    errors: {
      invalid_params: "The request body is nested too deep: JSON is taken up to a depth of 64 objects and arrays; this one goes deeper",
    },
  },
  removeFault: {
    path: {"id":"slow_earn"},
    answers: {
      200: {"id":"slow_earn","on":"request","effect":{"latency":{"ms":200}},"match":{"kind":"earn"},"after":1,"times":2,"seen":0,"hits":0},
    },
    errors: {
      not_found: "There is no fault rule slow. Existing rules: slow_earn",
      conflict: "A rule with chain.down keeps base from answering; rule slow_earn stays",
    },
  },
  listEffects: {
    answers: {
      200: {"effects":[{"on":"request","effect":"latency","summary":"The request waits `ms` milliseconds of the clock before anything is done. With a frozen clock, it waits until the clock is advanced. Removing the rule ends the wait.","synthetic":null,"matches":["account_id","kind"],"lasts":false,"settings":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"ms":{"type":"integer","minimum":1,"maximum":600000,"example":200}},"required":["ms"],"additionalProperties":false}},{"on":"request","effect":"hang","summary":"Nothing is done and no response comes until the client gives up. Removing the rule cuts the connection.","synthetic":null,"matches":["account_id","kind"],"lasts":false,"settings":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{},"additionalProperties":false}}]},
    },
    errors: {},
  },
  listPrices: {
    answers: {
      200: {"prices":{"COMP":"50","DAI":"1","ETH":"3000","MORPHO":"2","POL":"0.5","USDC":"1","USDC.e":"1","USDT":"1","USDT0":"1","USDbC":"1","WBTC":"90000","WETH":"3000","WPOL":"0.5","cbBTC":"90000","cbETH":"3300","wstETH":"3600"}},
    },
    errors: {},
  },
  setPrice: {
    path: {"asset":"ETH"},
    body: {"usd":"2500"},
    answers: {
      200: {"asset":"ETH","usd":"2500","moved":["ETH","WETH"]},
    },
    errors: {
      invalid_params: "usd must be a price in USD per whole token, from 0.00000001 to 1000000000, as a decimal such as \"2500\" or \"0.9998\" with at most 8 places and without an exponent, received \"0\"",
      conflict: "The base network mines no blocks, since its mining is switched off; no price was moved",
    },
  },
  liquidate: {
    body: {"account_id":"acc_3ibag02pq3p0","network":"base"},
    answers: {
      200: {"liquidations":[{"network":"base","protocol":"compound","market":"0xb125e6687d4313864e53df431d5425969c15eb2f","transaction_hash":"0x4d735e80d1d000a94a03583e36ba8d454d9413f0cca4291b1db8766d8d60ce49"},{"network":"base","protocol":"morpho","market":"0x8793cf302b8ffd655ab97bd1c695dbd967807e8367a65cb2f4edaf1380ba1bda","transaction_hash":"0xf2fe54d0ddd44b3b357078d87d893173fdfbb57210a855213478ce1b0d5f4016"}]},
    },
    errors: {
      account_not_found: "There is no account acc_000000000000",
      conflict: "The base network mines no blocks, since its mining is switched off; nothing was liquidated",
      invalid_params: "exactly one of account_id and address must be given",
    },
  },
  repeatEvent: {
    body: {"account_id":"acc_3ibag02pq3p0","cursor":1767603601},
    answers: {
      200: {"event":{"event_type":"activity_updated","data":{"activity_id":"act_zrnflmg5fvzf","activity_type":"svc_operation_executed","activity_status":"confirmed"},"timestamp":1767603600},"cursor":1767603602},
    },
    errors: {
      invalid_params: "cursor must be the cursor of an event, an integer from 1 to 2^53-1, received 0",
      account_not_found: "There is no account acc_000000000000",
      not_found: "The account acc_3ibag02pq3p0 has no event with cursor 1",
    },
  },
  listExchanges: {
    answers: {
      200: {"exchanges":[{"cursor":45,"at":"2026-01-05T09:02:01.000Z","request_id":"req_ojmwg3gd0qkx","method":"POST","url":"/_sim/events/again","headers":{"content-type":"application/json","content-length":"53"},"body":{"account_id":"acc_3ibag02pq3p0","cursor":1767603601},"notes":[{"at":"2026-01-05T09:02:01.000Z","type":"delivery","account_id":"acc_3ibag02pq3p0","of":1767603601,"cursor":1767603602,"activity_id":"act_zrnflmg5fvzf","activity_status":"confirmed"}],"answer":{"at":"2026-01-05T09:02:01.000Z","status":200,"headers":{"x-svc-sim-request-id":"req_ojmwg3gd0qkx"},"body":{"event":{"event_type":"activity_updated","data":{"activity_id":"act_zrnflmg5fvzf","activity_type":"svc_operation_executed","activity_status":"confirmed"},"timestamp":1767603600},"cursor":1767603602},"bytes":199,"cut":false}}],"marks":[],"cursor":45,"dropped":0},
    },
    errors: {
      invalid_params: "limit must be an integer from 1 to 1000, given once, received \"0\"",
    },
  },
  exportScenario: {
    answers: {
      200: {"name":"folio","file":"folio","yaml":"# Left out: GET /accounts/acc_3ibag02pq3p0/folio/stream: scenarios have no such request\nname: folio\ngiven:\n  clock: frozen@2026-01-05T09:00:00.000Z\n  accounts:\n    account_1: {}\nwhen:\n  - call:\n      method: GET\n      path: /accounts\n      expect:\n        status: 200\n  - call:\n      method: GET\n      path: /prime_account\n      expect:\n        status: 200\n  - call:\n      method: GET\n      path: /networks\n      expect:\n        status: 200\n  - call:\n      method: GET\n      path: /assets\n      expect:\n        status: 200\n  - call:\n      method: GET\n      path: /markets\n      expect:\n        status: 200\n  - call:\n      method: GET\n      path: /accounts/{{account_1.id}}\n      expect:\n        status: 200\n  - fund:\n      account: account_1\n      asset: USDC\n      amount: \"10000000\"\n      network: base\n  - plan:\n      as: earn_1\n      account: account_1\n      kind: earn\n      body:\n        amount: \"1000000\"\n        asset: USDC\n        network: base\n        protocol: compound\n      expect:\n        status: 201\n  - execute:\n      as: execute_earn_1\n      plan: earn_1\n      account: account_1\n      expect:\n        status: 200\n  - wait:\n      account: account_1\n      activity: execute_earn_1\n      status: confirmed\n  - advance: 121\n  - call:\n      method: GET\n      path: /activities/{{execute_earn_1.body.activity_id}}\n      expect:\n        status: 200\n        where:\n          - at:\n              - activity_status\n            is: confirmed\n  - call:\n      method: GET\n      path: /accounts/{{account_1.id}}/activities/{{execute_earn_1.body.activity_id}}\n      expect:\n        status: 200\n        where:\n          - at:\n              - activity_status\n            is: confirmed\n  - call:\n      method: GET\n      path: /accounts/{{account_1.id}}/activities\n      expect:\n        status: 200\n        where:\n          - at:\n              - activities\n              - activity_id: \"{{execute_earn_1.body.activity_id}}\"\n              - activity_status\n            is: confirmed\n  - call:\n      method: GET\n      path: /accounts/{{account_1.id}}/events\n      expect:\n        status: 200\n        where:\n          - at:\n              - events\n            length: 2\n          - at:\n              - events\n              - 0\n              - data\n              - activity_status\n            is: pending\n          - at:\n              - events\n              - 1\n              - data\n              - activity_status\n            is: confirmed\n  - call:\n      method: GET\n      path: /accounts/{{account_1.id}}/folio\n      expect:\n        status: 200\n  - call:\n      method: POST\n      path: /_sim/events/again\n      body:\n        account_id: \"{{account_1.id}}\"\n        cursor: 1767603601\n      expect:\n        status: 200\nthen:\n  - activity:\n      of: execute_earn_1\n      status: confirmed\n","vitest":"import { expect, test } from 'svc-sim/vitest'\n\nconst yaml = `# Left out: GET /accounts/acc_3ibag02pq3p0/folio/stream: scenarios have no such request\nname: folio\ngiven:\n  clock: frozen@2026-01-05T09:00:00.000Z\n  accounts:\n    account_1: {}\nwhen:\n  - call:\n      method: GET\n      path: /accounts\n      expect:\n        status: 200\n  - call:\n      method: GET\n      path: /prime_account\n      expect:\n        status: 200\n  - call:\n      method: GET\n      path: /networks\n      expect:\n        status: 200\n  - call:\n      method: GET\n      path: /assets\n      expect:\n        status: 200\n  - call:\n      method: GET\n      path: /markets\n      expect:\n        status: 200\n  - call:\n      method: GET\n      path: /accounts/{{account_1.id}}\n      expect:\n        status: 200\n  - fund:\n      account: account_1\n      asset: USDC\n      amount: \"10000000\"\n      network: base\n  - plan:\n      as: earn_1\n      account: account_1\n      kind: earn\n      body:\n        amount: \"1000000\"\n        asset: USDC\n        network: base\n        protocol: compound\n      expect:\n        status: 201\n  - execute:\n      as: execute_earn_1\n      plan: earn_1\n      account: account_1\n      expect:\n        status: 200\n  - wait:\n      account: account_1\n      activity: execute_earn_1\n      status: confirmed\n  - advance: 121\n  - call:\n      method: GET\n      path: /activities/{{execute_earn_1.body.activity_id}}\n      expect:\n        status: 200\n        where:\n          - at:\n              - activity_status\n            is: confirmed\n  - call:\n      method: GET\n      path: /accounts/{{account_1.id}}/activities/{{execute_earn_1.body.activity_id}}\n      expect:\n        status: 200\n        where:\n          - at:\n              - activity_status\n            is: confirmed\n  - call:\n      method: GET\n      path: /accounts/{{account_1.id}}/activities\n      expect:\n        status: 200\n        where:\n          - at:\n              - activities\n              - activity_id: \"{{execute_earn_1.body.activity_id}}\"\n              - activity_status\n            is: confirmed\n  - call:\n      method: GET\n      path: /accounts/{{account_1.id}}/events\n      expect:\n        status: 200\n        where:\n          - at:\n              - events\n            length: 2\n          - at:\n              - events\n              - 0\n              - data\n              - activity_status\n            is: pending\n          - at:\n              - events\n              - 1\n              - data\n              - activity_status\n            is: confirmed\n  - call:\n      method: GET\n      path: /accounts/{{account_1.id}}/folio\n      expect:\n        status: 200\n  - call:\n      method: POST\n      path: /_sim/events/again\n      body:\n        account_id: \"{{account_1.id}}\"\n        cursor: 1767603601\n      expect:\n        status: 200\nthen:\n  - activity:\n      of: execute_earn_1\n      status: confirmed\n`\n\ntest.override({ simulatorSettings: { clock: \"frozen@2026-01-05T09:00:00.000Z\" } })\n\ntest(\"folio\", async ({ sim }) => {\n  const response = await fetch(`${sim.controlUrl}/scenarios`, {\n    method: 'POST',\n    headers: { 'content-type': 'application/json', authorization: `Bearer ${sim.apiKey}` },\n    body: JSON.stringify({ yaml }),\n  })\n  expect(await response.json()).toMatchObject({ passed: true, failure: null })\n}, 120000)\n","repeats":"17 requests since the last reset","left_out":["POST /_sim/snapshots: a test has no snapshots, restores and resets","GET /accounts/acc_3ibag02pq3p0/folio/stream: scenarios have no such request"],"not_expected":[]},
    },
    errors: {
      invalid_params: "name must be a text of 1 to 200 characters, given once, received \"\"",
      conflict: "The requests belong to several runs, because a snapshot was restored between them",
    },
  },
  forkJournal: {
    body: {"before":248,"change":[{"price":{"ETH":"2000"}}]},
    answers: {
      201: {"world":{"id":"wld_5t0p9x2m4k1c","name":null,"failed_tests":[],"flaky_tests":[],"passed_tests":[],"failure":null,"failures":{},"test_of":null,"leased_at":"2026-01-05T09:00:00Z","state":"leased","lost":null,"url":"http://127.0.0.1:4477","controlUrl":"http://127.0.0.1:4477/_sim/worlds/wld_5t0p9x2m4k1c","rpc":{"mainnet":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/mainnet","base":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/base","arbitrum":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/arbitrum","optimism":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/optimism","polygon":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/polygon"},"lease_seconds":1800,"lease_until":"2026-01-05T09:02:00Z","apiKey":"qk_3f9a1c_0b7e5d2c8a4f6e1d3b9c"},"steps":[{"step":"price","cursor":null,"asked":null,"original":null,"twin":{"status":200,"error":null},"problem":null},{"step":"plan","cursor":248,"asked":"POST /accounts/acc_3ibag02pq3p0/plan/transfer","original":{"status":201,"error":null},"twin":{"status":201,"error":null},"problem":null}],"left_out":[],"twins":{"acc_3ibag02pq3p0":"acc_2m8c4v1x9q7z","0xe1fae9b4fab2f5726677ecfa912d96b0b683e6a9":"0x2222222222222222222222222222222222222222","0x2461d9a0991a576327ee46ea387e4d8b35fd039c":"0x2222222222222222222222222222222222222222","pln_93ulgpxeh26h":"pln_2m8c4v1x9q7z"}},
    },
    errors: {
      conflict: "The journal cannot be asked again as it was: plan: POST /accounts/acc_2m8c4v1x9q7z/plan/transfer: expected status 201, got 400 {\"error\":\"plan_failed\",\"message\":\"insufficient resources of USDC on base: target 1000000, max 0\"} [hint: 0 USDC can be brought to base from all networks after bridge costs; fund the wallet 0x2222222222222222222222222222222222222222 or request less]",
      invalid_params: "before must be the cursor of an exchange of the journal, received \"x\"",
      not_found: "There is no exchange 1000000 to fork before",
    },
  },
  explain: {
    path: {"id":"act_zrnflmg5fvzf"},
    answers: {
      200: {"id":"act_zrnflmg5fvzf","related":{"account_id":"acc_3ibag02pq3p0","plan_id":"pln_93ulgpxeh26h","activity_id":"act_zrnflmg5fvzf","svc_intent_id":"qi_pqkgnhe4fdl0"},"timeline":[{"at":"2026-01-05T09:00:00.000Z","request_id":"req_bt17c6th1r7a","cursor":17,"type":"request","title":"POST /accounts/acc_3ibag02pq3p0/plan/earn","details":{"method":"POST","url":"/accounts/acc_3ibag02pq3p0/plan/earn","body":{"amount":"1000000","asset":"USDC","network":"base","protocol":"compound"}}},{"at":"2026-01-05T09:00:00.000Z","request_id":"req_bt17c6th1r7a","cursor":17,"type":"plan","title":"plan pln_93ulgpxeh26h of kind earn, 1 operation","details":{"plan_id":"pln_93ulgpxeh26h","account_id":"acc_3ibag02pq3p0","kind":"earn","digest":"0xf244e68bbadf232f3583b7ab9c02be4ae7caf9f2d05a9c0d88039a549c84171b","expires_at":"2026-01-05T09:02:00Z","operations":[{"network":"base","nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700","script":"cometSupply","function":"supply","args":["0xb125E6687d4313864e53df431d5425969c15Eb2F","0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"]}]}}],"activity":{"status":"confirmed","reasons":[]},"now":"confirmed","verdict":{"outcome":"confirmed","cause":null,"next":null},"is_complete":true},
    },
    errors: {
      not_found: "Nothing is known of pln_000000000000",
    },
  },
  listBlocks: {
    path: {"network":"base"},
    answers: {
      200: {"network":"base","blocks":[{"number":429,"hash":"0xd589039f9073fb5353d46b5a188f3d736928ec5107cafdc7ef387ba52ddee16f","at":"2026-01-05T09:02:01Z","transactions":[]},{"number":428,"hash":"0xed42c59a2ab5252fe1659dde64356ff2de46d7c4e9613c1aa627d64fa3649c4f","at":"2026-01-05T09:00:00Z","transactions":[{"hash":"0x6b493327da8cebb1e6f38f85eff1517dd758cc961ed60f0cca0464c5e2e4cf93","status":"mined","from":"0x05405868e0dcb9b5f6a90eaf50cd6a275abbf6b8","to":"0x77670038488af562d9a700044654c0c45bb300d7","from_name":"relayer","to_name":"wallet factory","nonce":0,"value":"0","fee":"211668001481676","gas_used":"211668","function":"createAndExecute","args":{"signer":"0xe1fAE9b4fAB2F5726677ECfA912d96b0B683e6a9","op":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700","isReplayable":false,"scriptAddress":"0xb722135bCBb764b5d71AAbBfbbbA45BAe64DDd79","scriptSources":[],"scriptCalldata":"0x3e6f66dc000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000f42400000000000000000000000000000000000000000000000000000000000000000","expiry":"1767604500"},"signature":"0x155cc0098765b474e9dd57c2e8cb4ff5b730f8ea0b2fb7ed794dbea4ad589fad17353ccf00483a418ba2553565d88d45bad17685718ee3ac1726febc710553001b"},"request_id":"req_5qc3msdfb3mi","plan_id":"pln_93ulgpxeh26h","activity_id":"act_zrnflmg5fvzf"}]}]},
    },
    errors: {
      not_found: "There is no network goerli; networks are mainnet, base, arbitrum, optimism, polygon",
      conflict: "The base node does not answer",
    },
  },
  inspectTransaction: {
    path: {"hash":"0x6b493327da8cebb1e6f38f85eff1517dd758cc961ed60f0cca0464c5e2e4cf93"},
    answers: {
      200: {"network":"base","block":428,"at":"2026-01-05T09:00:00Z","hash":"0x6b493327da8cebb1e6f38f85eff1517dd758cc961ed60f0cca0464c5e2e4cf93","status":"mined","from":"0x05405868e0dcb9b5f6a90eaf50cd6a275abbf6b8","to":"0x77670038488af562d9a700044654c0c45bb300d7","from_name":"relayer","to_name":"wallet factory","nonce":0,"value":"0","fee":"211668001481676","gas_used":"211668","function":"createAndExecute","args":{"signer":"0xe1fAE9b4fAB2F5726677ECfA912d96b0B683e6a9","op":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700","isReplayable":false,"scriptAddress":"0xb722135bCBb764b5d71AAbBfbbbA45BAe64DDd79","scriptSources":[],"scriptCalldata":"0x3e6f66dc000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000f42400000000000000000000000000000000000000000000000000000000000000000","expiry":"1767604500"},"signature":"0x155cc0098765b474e9dd57c2e8cb4ff5b730f8ea0b2fb7ed794dbea4ad589fad17353ccf00483a418ba2553565d88d45bad17685718ee3ac1726febc710553001b"},"request_id":"req_5qc3msdfb3mi","plan_id":"pln_93ulgpxeh26h","activity_id":"act_zrnflmg5fvzf","reason":null,"calls":[{"depth":0,"type":"CALL","from":"relayer","to":"wallet factory","address":"0x77670038488af562d9a700044654c0c45bb300d7","value":"0","gas_used":"211668","function":"createAndExecute","args":{"signer":"0xe1fAE9b4fAB2F5726677ECfA912d96b0B683e6a9","op":{"nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700","isReplayable":false,"scriptAddress":"0xb722135bCBb764b5d71AAbBfbbbA45BAe64DDd79","scriptSources":[],"scriptCalldata":"0x3e6f66dc000000000000000000000000b125e6687d4313864e53df431d5425969c15eb2f000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda0291300000000000000000000000000000000000000000000000000000000000f42400000000000000000000000000000000000000000000000000000000000000000","expiry":"1767604500"},"signature":"0x155cc0098765b474e9dd57c2e8cb4ff5b730f8ea0b2fb7ed794dbea4ad589fad17353ccf00483a418ba2553565d88d45bad17685718ee3ac1726febc710553001b"},"error":null},{"depth":1,"type":"CREATE2","from":"wallet factory","to":"acc_3ibag02pq3p0","address":"0x2461d9a0991a576327ee46ea387e4d8b35fd039c","value":"0","gas_used":"15434","function":null,"args":{},"error":null}],"calls_left_out":0,"logs":[{"contract":"wallet factory","event":"WalletCreated","args":{"signer":"0xe1fAE9b4fAB2F5726677ECfA912d96b0B683e6a9","wallet":"0x2461D9a0991a576327eE46EA387e4D8b35Fd039c"}},{"contract":"nonce manager","event":"NonceSubmitted","args":{"wallet":"0x2461D9a0991a576327eE46EA387e4D8b35Fd039c","nonce":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700","submissionToken":"0xb51e59b781878d0b259b0307560f6320d9d2edc6381311fb76cc1fb2de9ef700"}}],"balances":[{"address":"0x2461D9a0991a576327eE46EA387e4D8b35Fd039c","name":"acc_3ibag02pq3p0","asset":"USDC","change":"-1000000"},{"address":"0xb125E6687d4313864e53df431d5425969c15Eb2F","name":"Compound USDC","asset":"USDC","change":"1000000"}]},
    },
    errors: {
      invalid_params: "hash must be 0x and 64 hex digits, but it is 0x12",
      not_found: "No network has mined transaction 0x5c505c505c505c505c505c505c505c505c505c505c505c505c505c505c505c50",
    },
  },
  followSimulator: {
    answers: {
      200: "id: 5f0c1d2e-17\nevent: fault\ndata: {\"change\":\"added\",\"fault\":{\"id\":\"slow_earn\",\"on\":\"folio\",\"effect\":\"timeout\",\"match\":{},\"after\":0,\"seen\":0,\"hits\":0},\"request_id\":null}\n\n",
    },
    errors: {},
  },
  getCoverage: {
    answers: {
      200: {"met":14,"documented":285,"cells":[{"endpoint":"POST accounts","method":"POST","path":"/accounts","status":201,"code":null,"source":"interface","hits":1},{"endpoint":"POST accounts","method":"POST","path":"/accounts","status":400,"code":"invalid_params","source":"interface","hits":0}]},
    },
    errors: {
      invalid_params: "worlds must be true or false, received \"yes\"",
    },
  },
  listScenarios: {
    answers: {
      200: {"scenarios":[{"name":"accounts","source":"shipped","title":"Accounts, every refusal","description":"A second account of one signer, malformed signers, and reading what does not exist.","steps":["given","when.0 (call)"],"problem":null},{"name":"bridge-partial","source":"shipped","title":"A bridge delivers half of it","description":null,"steps":["given","when.0 (plan)"],"problem":null}]},
    },
    errors: {},
  },
  getScenario: {
    path: {"name":"stale-plan-loop"},
    answers: {
      200: {"name":"stale-plan-loop","source":"shipped","title":"The world moves under two plans in a row; the third goes through","description":"Each time the price really moves after the plan was made, so that execute says plan_stale and a new plan is needed.","steps":["given","when.0 (plan)","when.1 (execute)","when.2 (fund)","when.3 (plan)","when.4 (execute)","when.5 (fund)","when.6 (plan)","when.7 (execute)","when.8 (wait)","then.0 (activities)","then.1 (hits)","faults"],"problem":null,"yaml":"# yaml-language-server: $schema=./scenario.schema.json\nname: The world moves under two plans in a row; the third goes through\ndescription: Each time the price really moves after the plan was made, so that execute says plan_stale and a new plan is needed.\ngiven:\n  clock: frozen\n  accounts:\n    alice:\n      funds: { base: { USDC: \"10000000\" } }\nfaults:\n  - { id: moved, on: plan, effect: { stale: { by: balance } }, times: 2 }\nwhen:\n  - plan: { as: first, account: alice, kind: transfer, body: &pay { amount: \"9000000\", asset: USDC, network: base, recipient: \"0x1111111111111111111111111111111111111111\" } }\n  - execute: { plan: first, expect: { status: 409, error: plan_stale } }\n  - fund: { account: alice, network: base, asset: USDC, amount: \"10000000\" }\n  - plan: { as: second, account: alice, kind: transfer, body: *pay }\n  - execute: { plan: second, expect: { status: 409, error: plan_stale } }\n  - fund: { account: alice, network: base, asset: USDC, amount: \"10000000\" }\n  - plan: { as: third, account: alice, kind: transfer, body: *pay }\n  - execute: { plan: third, as: done }\n  - wait: { account: alice, activity: done }\nthen:\n  - activities: { account: alice, count: 1, status: confirmed }\n  - hits: { moved: 2 }\n"},
    },
    errors: {
      not_found: "There is no scenario nowhere",
    },
  },
  runScenario: {
    path: {"name":"stale-plan-loop"},
    answers: {
      200: {"name":"stale-plan-loop","run":1,"passed":true,"failure":null,"is_prepared":false,"steps":["given","when.0 (plan)","when.1 (execute)","when.2 (fund)","when.3 (plan)","when.4 (execute)","when.5 (fund)","when.6 (plan)","when.7 (execute)","when.8 (wait)","then.0 (activities)","then.1 (hits)","faults"],"requests":16,"duration_ms":640,"account_ids":["acc_7thu3ttq1t4u"]},
    },
    errors: {
      not_found: "There is no scenario nowhere",
      conflict: "The scenario stale-plan-loop is being played",
    },
  },
  runScenarioText: {
    body: {"yaml":"name: one read\nwhen:\n  - call: { path: /assets }\n"},
    answers: {
      200: {"name":"one read","run":2,"passed":true,"failure":null,"is_prepared":false,"steps":["given","when.0 (call)","faults"],"requests":2,"duration_ms":640,"account_ids":[]},
    },
    errors: {
      invalid_params: "yaml:1:1 name: is missing; it must be a text: What the scenario is called in reports.",
      conflict: "The scenario stale-plan-loop is being played",
    },
  },
  getTrace: {
    answers: {
      200: {"trace":null},
    },
    errors: {},
  },
  getMetrics: {
    answers: {
      200: "# HELP svc_sim_accounts Sub-accounts.\n# TYPE svc_sim_accounts gauge\nsvc_sim_accounts 1\n",
    },
    errors: {},
  },
  leaseWorld: {
    body: {"name":"transfer.test.ts","seed":"7","clock":"frozen","lease_seconds":120},
    answers: {
      201: {"id":"wld_5t0p9x2m4k1c","name":"transfer.test.ts","failed_tests":[],"flaky_tests":[],"passed_tests":[],"failure":null,"failures":{},"test_of":null,"leased_at":"2026-01-05T09:00:00Z","state":"leased","lost":null,"url":"http://127.0.0.1:4477","controlUrl":"http://127.0.0.1:4477/_sim/worlds/wld_5t0p9x2m4k1c","rpc":{"mainnet":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/mainnet","base":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/base","arbitrum":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/arbitrum","optimism":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/optimism","polygon":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/polygon"},"lease_seconds":120,"lease_until":"2026-01-05T09:02:00Z","apiKey":"qk_3f9a1c_0b7e5d2c8a4f6e1d3b9c","accounts":{}},
    },
    errors: {
      invalid_params: "lease_seconds must be a whole number of seconds from 1 to 86400, received 0",
    },
  },
  listWorlds: {
    answers: {
      200: {"worlds":[{"id":"wld_5t0p9x2m4k1c","name":"transfer.test.ts","failed_tests":["transfer.test.ts > sends USDC"],"flaky_tests":[],"passed_tests":[],"failure":null,"failures":{},"test_of":null,"leased_at":"2026-01-05T09:00:00Z","state":"leased","lost":null,"url":"http://127.0.0.1:4477","controlUrl":"http://127.0.0.1:4477/_sim/worlds/wld_5t0p9x2m4k1c","rpc":{"mainnet":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/mainnet","base":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/base","arbitrum":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/arbitrum","optimism":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/optimism","polygon":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/polygon"},"lease_seconds":120,"lease_until":"2026-01-05T09:02:00Z","failed_activities":0,"refused":0,"cut":0}],"leased":1,"warm":0,"starting":0,"waiting":0,"most":1,"ended_with_failures":0,"ended_worlds":[],"default_world":null,"trace":null},
    },
    errors: {},
  },
  getWorld: {
    path: {"id":"wld_5t0p9x2m4k1c"},
    answers: {
      200: {"id":"wld_5t0p9x2m4k1c","name":"transfer.test.ts","failed_tests":["transfer.test.ts > sends USDC"],"flaky_tests":[],"passed_tests":[],"failure":null,"failures":{},"test_of":null,"leased_at":"2026-01-05T09:00:00Z","state":"leased","lost":null,"url":"http://127.0.0.1:4477","controlUrl":"http://127.0.0.1:4477/_sim/worlds/wld_5t0p9x2m4k1c","rpc":{"mainnet":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/mainnet","base":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/base","arbitrum":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/arbitrum","optimism":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/optimism","polygon":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/polygon"},"lease_seconds":120,"lease_until":"2026-01-05T09:02:00Z"},
    },
    errors: {},
  },
  releaseWorld: {
    path: {"id":"wld_5t0p9x2m4k1c"},
    answers: {
      200: {"id":"wld_5t0p9x2m4k1c","name":"transfer.test.ts","failed_tests":["transfer.test.ts > sends USDC"],"flaky_tests":[],"passed_tests":[],"failure":null,"failures":{},"test_of":null,"leased_at":"2026-01-05T09:00:00Z","state":"leased","lost":null,"url":"http://127.0.0.1:4477","controlUrl":"http://127.0.0.1:4477/_sim/worlds/wld_5t0p9x2m4k1c","rpc":{"mainnet":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/mainnet","base":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/base","arbitrum":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/arbitrum","optimism":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/optimism","polygon":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/polygon"},"lease_seconds":120,"lease_until":"2026-01-05T09:02:00Z"},
    },
    errors: {},
  },
  reportFailedTest: {
    path: {"id":"wld_5t0p9x2m4k1c"},
    body: {"test":"transfer.test.ts > sends USDC"},
    answers: {
      200: {"id":"wld_5t0p9x2m4k1c","name":"transfer.test.ts","failed_tests":["transfer.test.ts > sends USDC"],"flaky_tests":[],"passed_tests":[],"failure":null,"failures":{},"test_of":null,"leased_at":"2026-01-05T09:00:00Z","state":"leased","lost":null,"url":"http://127.0.0.1:4477","controlUrl":"http://127.0.0.1:4477/_sim/worlds/wld_5t0p9x2m4k1c","rpc":{"mainnet":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/mainnet","base":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/base","arbitrum":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/arbitrum","optimism":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/optimism","polygon":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/polygon"},"lease_seconds":120,"lease_until":"2026-01-05T09:02:00Z"},
    },
    errors: {},
  },
  renewWorld: {
    path: {"id":"wld_5t0p9x2m4k1c"},
    answers: {
      200: {"id":"wld_5t0p9x2m4k1c","name":"transfer.test.ts","failed_tests":["transfer.test.ts > sends USDC"],"flaky_tests":[],"passed_tests":[],"failure":null,"failures":{},"test_of":null,"leased_at":"2026-01-05T09:00:00Z","state":"leased","lost":null,"url":"http://127.0.0.1:4477","controlUrl":"http://127.0.0.1:4477/_sim/worlds/wld_5t0p9x2m4k1c","rpc":{"mainnet":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/mainnet","base":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/base","arbitrum":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/arbitrum","optimism":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/optimism","polygon":"http://127.0.0.1:4477/worlds/wld_5t0p9x2m4k1c/rpc/polygon"},"lease_seconds":120,"lease_until":"2026-01-05T09:02:00Z"},
    },
    errors: {
      world_lost: "The world wld_5t0p9x2m4k1c is lost: the base node ended (SIGKILL)",
    },
  },
  getControlOpenapi: {
    answers: {
      200: {"openapi":"3.1.0"},
    },
    errors: {},
  },
}
