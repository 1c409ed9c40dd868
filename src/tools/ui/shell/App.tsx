import { computed, effect, signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  connection,
  followWorld,
  isReadOnly,
  missed,
  now,
  overview,
  restarts,
  toldClock,
  trace,
} from '../api/live.js'
import { needsToken, signIn, world } from '../api/session.js'
import icon from '../icon.svg'
import { Choice, Form, TextField } from '../parts/controls.js'
import { shownTime } from '../parts/text.js'
import { isTyping, Shortcuts } from './KeyDialog.js'
import { Notices, tell } from './notices.js'
import { type PageProps, pages, shownPages } from './pages.js'
import { go, here, href, hrefIn } from './route.js'
import { Search } from './Search.js'
import { WorldFrame, WorldPicker } from './world.js'

const connectionTexts: Partial<Record<string, string>> = {
  broken: 'disconnected',
  gone: 'not found',
}

const navigated = computed(() => shownPages.value.filter((page) => !page.isLinked))

export function App() {
  const isOpen = needsToken.value === 'no'
  const at = world.value
  // Another world is followed from its beginning.
  useEffect(() => {
    if (!isOpen) return
    const leaving = new AbortController()
    followWorld(leaving.signal)
    return () => leaving.abort()
  }, [isOpen, at])
  useEffect(() => {
    const text = 'svc-sim was restarted. The dashboard shows the new run from here on.'
    if (restarts.value > 0) tell({ kind: 'news', text })
  }, [restarts.value])
  return (
    <>
      {isOpen ? <Inside /> : <SignIn />}
      <Notices />
    </>
  )
}

function SignIn() {
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

function Inside() {
  const [name = pages[0]!.name, ...rest] = here.value.path
  const isBroken = connection.value === 'broken'
  const states = [
    isReadOnly.value && 'read-only',
    world.value !== undefined && 'in-world',
    isBroken && 'cut-off',
  ]
  return (
    <div class={`shell ${states.filter(Boolean).join(' ')}`}>
      <button type="button" class="skip" onClick={toMain}>
        Skip to content
      </button>
      <header>
        <a class="brand" href={href([])}>
          <img src={icon} alt="" width="28" height="28" />
          svc-sim
        </a>
        <nav class="links" aria-label="Pages">
          {navigated.value.map((page) => (
            <a
              key={page.name}
              href={href([page.name])}
              aria-current={page.name === name ? 'page' : undefined}
            >
              {page.title}
            </a>
          ))}
        </nav>
        <Status />
        <div class="settings">
          <Search />
          <WorldPicker />
          <Choice
            label="Theme"
            kind="inline"
            of={themes}
            value={theme.value}
            onChange={(chosen) => {
              theme.value = chosen
            }}
          />
          <Shortcuts />
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <TraceBanner />
        <WorldFrame />
        {isBroken && (
          <p class="banner callout bad" role="alert">
            The simulator does not respond. This page shows what it said last, and keeps trying.
          </p>
        )}
        {connection.value === 'gone' ? (
          <p class="banner callout frozen" role="alert">
            World {world.value} does not exist. It may have been released, or its lease has expired.{' '}
            <a href={hrefIn(undefined, [])}>Go to the default world</a>
          </p>
        ) : (
          <Content key={`${world.value} ${restarts.value} ${name}`} name={name} rest={rest} />
        )}
      </main>
    </div>
  )
}

/** The hash is the route, so no link can lead there. */
function toMain(): void {
  document.getElementById('main')?.focus()
}

function TraceBanner() {
  if (!trace.value) return null
  const { file, accounts_left_out, worlds_left_out } = trace.value
  return (
    <p class="banner callout frozen" role="note">
      <strong>Trace</strong> of a run that has ended. It is read-only. <code>{file}</code>
      {accounts_left_out > 0 && ` ${accounts_left_out} accounts are not in this trace.`}
      {worlds_left_out > 0 && ` ${worlds_left_out} leased worlds are not in this trace.`}
    </p>
  )
}

function Status() {
  if (isReadOnly.value) return <ClockFace />
  const networks = overview.value?.networks ?? []
  const ready = networks.filter((network) => network.ready).length
  return (
    <div class="status">
      <span class={`pill ${connection.value}`} role="status">
        {connectionTexts[connection.value] ?? connection.value}
      </span>
      {networks.length > 0 && (
        <a class={`pill ${ready === networks.length ? 'good' : 'bad'}`} href={href(['overview'])}>
          {ready} of {networks.length} networks respond
        </a>
      )}
      <ClockFace />
      {missed.value > 0 && <span class="pill warn">{missed.value} messages missed</span>}
    </div>
  )
}

function ClockFace() {
  if (now.value === undefined) return null
  return (
    <span class="time words small" title="The simulator’s clock">
      {shownTime(now.value)}
      <span
        class={`pill ${toldClock.value?.mode === 'real' && !isReadOnly.value ? 'good' : 'frozen'}`}
      >
        {isReadOnly.value ? 'ended' : toldClock.value?.mode}
      </span>
    </span>
  )
}

/** Undefined on load, when the browser decides where the focus is. */
let lastPage: string | undefined

function Content({ name, rest }: { name: string } & PageProps) {
  const [Page, setPage] = useState<ComponentType<PageProps>>()
  const [problem, setProblem] = useState<string>()
  const page = shownPages.value.find((each) => each.name === name)
  useEffect(() => {
    page?.load().then(
      (loaded) => setPage(() => loaded.default),
      (error: Error) => setProblem(error.message),
    )
  }, [page])
  useEffect(() => {
    const said = [page?.title ?? 'Page not found', rest[0]].filter(Boolean).join(' ')
    document.title = `${said} - svc-sim`
  }, [page, rest[0]])
  const title = useRef<HTMLHeadingElement>(null)
  // A screen reader reads the title of the page that a link has opened.
  useEffect(() => {
    if (lastPage !== undefined && lastPage !== name) title.current?.focus()
    lastPage = name
    // In the header of narrow windows, which scrolls.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [name])
  if (problem !== undefined)
    return (
      <p role="alert">
        The page could not be loaded: {problem}. Reload the dashboard, also after an update of
        svc-sim.
      </p>
    )
  if (!page)
    return (
      <div class="page">
        <h1>Page not found</h1>
        <p>
          There is no page {name}
          {isReadOnly.value && ' in a trace'}. <a href={href([])}>Go to the overview</a>
        </p>
      </div>
    )
  const takes = `${page.takes} world`.trim().split(' ')
  const unknown = [...here.value.query.keys()].filter(
    (name) => !takes.includes(name.split('.')[0]!),
  )
  return (
    <div class="page">
      <h1 ref={title} tabIndex={-1}>
        {page.title}
      </h1>
      {unknown.length > 0 && (
        <p class="callout" role="alert">
          The page ignores {unknown.join(', ')} in its URL. It takes {takes.join(', ')}.
        </p>
      )}
      {Page && <Page rest={rest} />}
    </div>
  )
}

const themes = ['system', 'light', 'dark']
const storedAs = 'svc-sim-theme'
const theme = signal(themes.find((known) => known === localStorage.getItem(storedAs)) ?? 'system')

effect(() => {
  document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value
  localStorage.setItem(storedAs, theme.value)
})

/** Digits lead to pages and `/` to the search, unless something is being typed. */
addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey } = event
  if (isTyping(event) || ctrlKey || metaKey || altKey) return
  const page = /^\d$/.test(key) ? navigated.value[(Number(key) + 9) % 10] : undefined
  if (page) go([page.name])
  const search = document.querySelector<HTMLInputElement>('input[type=search]')
  if (key !== '/' || !search) return
  // At once, so that the next keys already go there. The browser would otherwise type the `/` as well.
  event.preventDefault()
  search.focus()
})
