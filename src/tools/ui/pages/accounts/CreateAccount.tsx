import { useEffect, useRef, useState } from 'preact/hooks'
import { answered, serviceApi } from '../../api/session.js'
import { makeSigner } from '../../api/signers.js'
import { CopiedFacts, Panel } from '../../parts/panels.js'
import { attempt } from '../../shell/notices.js'
import { href } from '../../shell/route.js'

interface Created {
  id: string
  address: string
  privateKey: string
}

/** Makes an account with a signer of this tab. Its key is shown once. */
export function CreateAccount() {
  const [created, setCreated] = useState<Created>()
  const [isMaking, setMaking] = useState(false)
  const made = useRef<HTMLDivElement>(null)
  useEffect(() => made.current?.focus(), [created])
  const create = async (): Promise<void> => {
    setMaking(true)
    await attempt('Account created', async () => {
      const { address, privateKey } = await makeSigner()
      const body = { signer_type: 'eoa' as const, signer_address: address }
      const account = await answered(serviceApi.POST('/accounts', { body }))
      setCreated({ id: account.account_id, address, privateKey })
    })
    setMaking(false)
  }
  return (
    <Panel
      title="New account"
      kind="steers"
      aside={
        <button type="button" class="primary" disabled={isMaking} onClick={create}>
          Create an account
        </button>
      }
    >
      {created ? (
        <div ref={made} tabIndex={-1} class="created">
          <p>
            <a href={href(['accounts', created.id])}>{created.id}</a> is ready. This tab signs for
            it until you close the tab. To sign elsewhere, copy the key now: it is not shown again.
          </p>
          <CopiedFacts of={{ Signer: created.address, 'Private key': created.privateKey }} />
          <div class="row">
            <a class="button primary" href={href(['accounts', created.id])}>
              Fund it
            </a>
            <a class="button" href={href(['plan', created.id])}>
              Plan with it
            </a>
            <button type="button" class="quiet" onClick={() => setCreated(undefined)}>
              Hide the key
            </button>
          </div>
        </div>
      ) : (
        <p class="small">
          The page creates the signer too, so you can plan, sign and execute without a client.
        </p>
      )}
    </Panel>
  )
}
