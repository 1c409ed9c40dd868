// The health check of the image: ends with 0 when every network of the simulator is up.
// Kubernetes sets SVC_SIM_PORT=tcp://10.96.0.1:4477 for a Service called svc-sim: that is not ours.
const given = process.env.SVC_SIM_PORT
const port = given && /^\d+$/.test(given) ? given : 4477
// Node would send it through a proxy where NODE_USE_ENV_PROXY is set.
process.env.NO_PROXY = process.env.no_proxy = '127.0.0.1'
const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => ({ ok: false }))
process.exit(ready.ok ? 0 : 1)
