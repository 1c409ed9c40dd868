import { Copy } from './Copy.js'

/** Texts by name, each with a button that copies it. */
export function Facts({ of }: { of: Readonly<Record<string, string>> }) {
  return (
    <dl class="facts">
      {Object.entries(of).map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{text}</code>
            <Copy label={`Copy ${name}`} text={() => text} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
