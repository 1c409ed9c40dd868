import { useState } from 'preact/hooks'
import { SvcError } from '../../../clients/client/svcError.js'

/** The state of a form's request: whether it is under way, and why it was refused. The next one forgets the refusal. */
export function useAsking() {
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<SvcError>()
  const ask = async (work: () => Promise<unknown>): Promise<void> => {
    setAsking(true)
    setRefusal(undefined)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      setRefusal(error)
    } finally {
      setAsking(false)
    }
  }
  return { isAsking, refusal, ask, forgetRefusal: () => setRefusal(undefined) }
}
