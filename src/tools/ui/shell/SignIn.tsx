import { useState } from 'preact/hooks'
import { needsToken, signIn } from '../api/session.js'

/** Asks for the control token. */
export function SignIn() {
  const [token, setToken] = useState('')
  return (
    <main class="sign-in">
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault()
          signIn(token.trim())
        }}
      >
        <h1>svc-sim</h1>
        <p>
          Other machines can reach this simulator, so the dashboard needs its control token: the
          value of <code>--control-token</code>. The token stays in the memory of this tab.
        </p>
        <label class="field">
          <span>Control token</span>
          <input
            type="password"
            autocomplete="off"
            required
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        {needsToken.value === 'wrong' && (
          <p role="alert" class="refused-text">
            This is not the control token of this simulator.
          </p>
        )}
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
    </main>
  )
}
