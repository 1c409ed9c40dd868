use svc::types::{ActivityActivityStatus, CreateAccount, EarnIntent, ExecutePlan, Plan, SwapIntent};
use svc::{Client, Error};

fn hand(arguments: &[&str]) -> String {
    let file = std::env::var("HAND").unwrap();
    let output = std::process::Command::new("node").arg(file).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn earn(amount: &str) -> EarnIntent {
    EarnIntent {
        amount: amount.parse().unwrap(),
        asset: "USDC".parse().unwrap(),
        market: None,
        network: "base".parse().unwrap(),
        protocol: "compound".parse().unwrap(),
    }
}

async fn carry_out(client: &Client, account: &str, plan: &Plan) {
    let signature = hand(&["sign", &plan.details.eip712_data.digest]);
    let body = ExecutePlan {
        plan_id: plan.plan_id.as_str().parse().unwrap(),
        signature: signature.parse().unwrap(),
    };
    let executed = client.execute_plan(account, &body).await.unwrap();
    let mut cursor = 0;
    loop {
        let page = client.list_events(account, Some(true), Some(cursor)).await.unwrap();
        cursor = page.cursor;
        let activity = client.get_activity(&executed.activity_id).await.unwrap();
        if activity.activity_status == ActivityActivityStatus::Pending {
            continue;
        }
        assert_eq!(activity.activity_status, ActivityActivityStatus::Confirmed);
        let actions: Vec<_> = activity.executions.iter().flat_map(|execution| &execution.actions).collect();
        assert!(!actions.is_empty());
        println!("{}", serde_json::to_string(&activity.svc_intent).unwrap());
        return;
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut headers = reqwest::header::HeaderMap::new();
    let bearer = format!("Bearer {}", std::env::var("SVC_API_KEY").unwrap());
    headers.insert(reqwest::header::AUTHORIZATION, bearer.parse().unwrap());
    // The generator's own client gives up before a long poll does.
    let http = reqwest::Client::builder().default_headers(headers).build().unwrap();
    let client = Client::new_with_client(&std::env::var("SVC_BASE_URL").unwrap(), http);
    let body = CreateAccount {
        signer_address: hand(&["signer"]).parse().unwrap(),
        signer_type: "eoa".parse().unwrap(),
    };
    let account = client.create_account(&body).await.unwrap().account_id.to_string();
    hand(&["fund", &account]);

    let plan = client.plan_earn(&account, &earn("2000000")).await.unwrap();
    carry_out(&client, &account, &plan).await;
    let swap = SwapIntent {
        sell_asset: "USDC".parse().unwrap(),
        buy_asset: "WETH".parse().unwrap(),
        network: "base".parse().unwrap(),
        sell_amount: Some("3000000".parse().unwrap()),
        buy_amount: None,
    };
    let plan = client.plan_swap(&account, &swap).await.unwrap();
    carry_out(&client, &account, &plan).await;
    let plan = client.plan_earn(&account, &earn("15000000")).await.unwrap();
    carry_out(&client, &account, &plan).await;
    match client.plan_earn(&account, &earn("900000000000")).await {
        Err(Error::ErrorResponse(refused)) => assert_eq!(refused.error, "plan_failed"),
        other => panic!("not refused: {other:?}"),
    }

    let activities = client.list_activities(&account).await.unwrap().into_inner().activities;
    let folio = client.get_folio(&account, None).await.unwrap().into_inner().folio;
    let weth = folio.balances.iter().find(|(key, _)| key.starts_with("token/base/WETH/"));
    println!("done: {} activities, WETH {}", activities.len(), weth.expect("no WETH in the folio").1.as_str());
}
