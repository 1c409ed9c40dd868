//! Signs a plan with alloy. The plan comes on standard input, the key in SIGNER_KEY; prints the signature for `execute`.

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_signer::SignerSync;
use alloy_signer_local::PrivateKeySigner;
use alloy_sol_types::{SolStruct, eip712_domain, sol};
use serde_json::Value;

sol! {
    struct SvcOperation {
        bytes32 nonce;
        bool isReplayable;
        address scriptAddress;
        bytes[] scriptSources;
        bytes scriptCalldata;
        uint256 expiry;
    }
    struct MultiSvcOperation { bytes32[] opDigests; }
}

type Failure = Box<dyn std::error::Error>;

fn text<'a>(value: &'a Value, field: &str) -> Result<&'a str, Failure> {
    value[field].as_str().ok_or_else(|| format!("{field} is missing").into())
}

/// The digest of one operation: bound to its chain and to the account's wallet.
fn operation_digest(item: &Value) -> Result<B256, Failure> {
    let (operation, action) = (&item["operation"], &item["action"]);
    let chain_id: u64 = text(action, "chain_id")?.parse()?;
    let wallet: Address = text(action, "svc_account")?.parse()?;
    let sources = operation["script_sources"].as_array().ok_or("script_sources is missing")?;
    let message = SvcOperation {
        nonce: text(operation, "nonce")?.parse()?,
        isReplayable: operation["is_replayable"].as_bool().ok_or("is_replayable is missing")?,
        scriptAddress: text(operation, "script_address")?.parse()?,
        scriptSources: sources
            .iter()
            .map(|source| Ok(source.as_str().ok_or("not text")?.parse::<Bytes>()?))
            .collect::<Result<_, Failure>>()?,
        scriptCalldata: text(operation, "script_calldata")?.parse()?,
        expiry: text(operation, "expiry")?.parse::<U256>()?,
    };
    let domain = eip712_domain! {
        name: "Svc Wallet",
        version: "1",
        chain_id: chain_id,
        verifying_contract: wallet,
    };
    Ok(message.eip712_signing_hash(&domain))
}

/// One operation is signed as it is; several are signed as the list of their digests, without a chain.
fn plan_digest(plan: &Value) -> Result<B256, Failure> {
    let items = plan["details"]["svc_operation_actions"].as_array().ok_or("no operations")?;
    let digests = items.iter().map(operation_digest).collect::<Result<Vec<_>, _>>()?;
    if let [only] = digests[..] {
        return Ok(only);
    }
    let domain = eip712_domain! { name: "Svc Wallet", version: "1", };
    Ok(MultiSvcOperation { opDigests: digests }.eip712_signing_hash(&domain))
}

fn main() -> Result<(), Failure> {
    let plan: Value = serde_json::from_reader(std::io::stdin())?;
    let digest = plan_digest(&plan)?;
    let asked: B256 = text(&plan["details"]["eip712_data"], "digest")?.parse()?;
    if digest != asked {
        return Err(format!("the plan asks to sign {asked}, but its operations make {digest}: do not sign it").into());
    }
    let signer: PrivateKeySigner = std::env::var("SIGNER_KEY")?.parse()?;
    println!("0x{}", alloy_primitives::hex::encode(signer.sign_hash_sync(&digest)?.as_bytes()));
    Ok(())
}
