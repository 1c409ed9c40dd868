#!/bin/sh
# Starts the simulator for other machines. The control API, /metrics and /rpc there need a token: without SVC_SIM_CONTROL_TOKEN one is
# drawn, and told this once.
set -eu
if [ -z "${SVC_SIM_CONTROL_TOKEN:-}" ]; then
  SVC_SIM_CONTROL_TOKEN="$(node -p 'crypto.randomBytes(24).toString("hex")')"
  export SVC_SIM_CONTROL_TOKEN
  echo "svc-sim: control token, drawn for this start: $SVC_SIM_CONTROL_TOKEN" >&2
fi
exec svc-sim start --host 0.0.0.0 "$@"
