// The health check of the image: ends with 0 when every network of the simulator is up.
const port = process.env.SVC_SIM_PORT ?? 4477
const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => ({ ok: false }))
process.exit(ready.ok ? 0 : 1)
