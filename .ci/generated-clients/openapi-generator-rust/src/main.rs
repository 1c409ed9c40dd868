use svc::apis::{accounts_api, activities_api, configuration::Configuration, plans_api, portfolio_api, Error};
use svc::models::{activity, create_account, earn_intent, swap_intent};
use svc::models::{CreateAccount, EarnIntent, ExecutePlan, Plan, SwapIntent};

fn hand(arguments: &[&str]) -> String {
    let file = std::env::var("HAND").unwrap();
    let output = std::process::Command::new("node").arg(file).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn earn(amount: &str) -> EarnIntent {
    let network = earn_intent::Network::Base;
    EarnIntent::new(amount.into(), "USDC".into(), network, earn_intent::Protocol::Compound)
}

async fn carry_out(client: &Configuration, account: &str, plan: Plan) {
    let signature = hand(&["sign", &plan.details.eip712_data.digest]);
    let body = ExecutePlan::new(plan.plan_id, signature);
    let executed = plans_api::execute_plan(client, account, body).await.unwrap();
    let mut cursor = 0;
    loop {
        let page = activities_api::list_events(client, account, Some(cursor), Some(true)).await.unwrap();
        cursor = page.cursor;
        let found = activities_api::get_activity(client, &executed.activity_id).await.unwrap();
        if found.activity_status == activity::ActivityStatus::Pending {
            continue;
        }
        assert_eq!(found.activity_status, activity::ActivityStatus::Confirmed);
        let actions: Vec<_> = found.executions.iter().flat_map(|execution| &execution.actions).collect();
        assert!(!actions.is_empty());
        println!("{}", serde_json::to_string(&found.svc_intent).unwrap());
        return;
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let client = Configuration {
        base_path: std::env::var("SVC_BASE_URL").unwrap(),
        bearer_access_token: std::env::var("SVC_API_KEY").ok(),
        ..Configuration::default()
    };
    let body = CreateAccount::new(create_account::SignerType::Eoa, hand(&["signer"]));
    let account = accounts_api::create_account(&client, body).await.unwrap().account_id;
    hand(&["fund", &account]);

    let plan = plans_api::plan_earn(&client, &account, earn("2000000")).await.unwrap();
    carry_out(&client, &account, plan).await;
    let mut swap = SwapIntent::new("USDC".into(), "WETH".into(), swap_intent::Network::Base);
    swap.sell_amount = Some("3000000".into());
    let plan = plans_api::plan_swap(&client, &account, swap).await.unwrap();
    carry_out(&client, &account, plan).await;
    let plan = plans_api::plan_earn(&client, &account, earn("15000000")).await.unwrap();
    carry_out(&client, &account, plan).await;
    match plans_api::plan_earn(&client, &account, earn("900000000000")).await {
        Err(Error::ResponseError(refused)) => assert!(refused.content.contains("plan_failed")),
        other => panic!("not refused: {other:?}"),
    }

    let activities = activities_api::list_activities(&client, &account).await.unwrap().activities;
    let folio = portfolio_api::get_folio(&client, &account, None).await.unwrap().folio;
    let weth = folio.balances.iter().find(|(key, _)| key.starts_with("token/base/WETH/"));
    println!("done: {} activities, WETH {}", activities.len(), weth.expect("no WETH in the folio").1);
}
