import { useState } from 'preact/hooks'
import { Refused } from './session.js'

/** What a person asks for by a form: whether it is under way, and why it was refused. The next forgets the refusal. */
export function useAsking() {
  const [isAsking, setAsking] = useState(false)
  const [refusal, setRefusal] = useState<Refused>()
  const ask = async (work: () => Promise<unknown>): Promise<void> => {
    setAsking(true)
    setRefusal(undefined)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setRefusal(error)
    } finally {
      setAsking(false)
    }
  }
  return { isAsking, refusal, ask, forgetRefusal: () => setRefusal(undefined) }
}
