import { useState } from 'preact/hooks'
import { needsToken, signIn } from '../api/session.js'
import { Form, TextField } from '../parts/controls.js'

/** Asks for the control token. */
export function SignIn() {
  const [token, setToken] = useState('')
  return (
    <main class="sign-in">
      <Form class="panel stack tight" onSubmit={() => signIn(token.trim())}>
        <h1>svc-sim</h1>
        <p>
          This simulator was started with a control token, so the dashboard needs it: the value of{' '}
          <code>--control-token</code>. The token stays in the memory of this tab.
        </p>
        <TextField
          label="Control token"
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={setToken}
        />
        {needsToken.value === 'wrong' && (
          <p role="alert" class="refused-text">
            This is not the control token of this simulator.
          </p>
        )}
        <button type="submit" class="primary">
          Sign in
        </button>
      </Form>
    </main>
  )
}
