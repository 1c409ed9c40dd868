/** A network by name, with its colour. */
export function NetworkLabel({ network }: { network: string }) {
  return (
    <span class="network-name" data-network={network}>
      {network}
    </span>
  )
}
