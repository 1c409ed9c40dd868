#!/bin/sh
# The first plan of docs/start/first-plan.md with curl. curl cannot sign, so signer.py beside it does.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
base="${SVC_BASE_URL:-http://127.0.0.1:4477}"
key="${SVC_API_KEY:-qk_local0_00000000000000000000}"

call() { # METHOD PATH [BODY]
  curl --silent --show-error --fail-with-body --max-time 60 --request "$1" "$base$2" \
    --header "authorization: Bearer $key" --header 'content-type: application/json' ${3:+--data "$3"}
}
field() { # NAME: its text in the JSON on standard input
  sed -n "s/.*\"$1\":\"\\([^\"]*\\)\".*/\\1/p"
}

# 1. An account: the signer's key stays here.
set -- $(python3 "$here/signer.py" new)
private_key="$1"
account="$(call POST /accounts "{\"signer_type\":\"eoa\",\"signer_address\":\"$2\"}" | field account_id)"

# 2. Funds from the faucet: 10 USDC on base.
call POST /_sim/fund "{\"account_id\":\"$account\",\"asset\":\"USDC\",\"amount\":\"10000000\",\"network\":\"base\"}" >/dev/null

# 3. A plan: supply 4 USDC.
plan="$(call POST "/accounts/$account/plan/earn" '{"asset":"USDC","network":"base","amount":"4000000","protocol":"compound"}')"

# 4. The signature over its digest, and execution.
signature="$(python3 "$here/signer.py" sign "$private_key" "$(printf '%s' "$plan" | field digest)")"
plan_id="$(printf '%s' "$plan" | field plan_id)"
activity="$(call POST "/accounts/$account/plan/execute" "{\"plan_id\":\"$plan_id\",\"signature\":\"$signature\"}" | field activity_id)"

# 5. A long poll answers as soon as there is something new.
status=pending cursor=0
while [ "$status" = pending ]; do
  cursor="$(call GET "/accounts/$account/events?since=$cursor&poll=true" | sed 's/.*"cursor":\([0-9]*\).*/\1/')"
  status="$(call GET "/activities/$activity" | field activity_status)"
done
echo "$status: $activity"
