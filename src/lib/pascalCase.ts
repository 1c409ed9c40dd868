/** `COMET_SUPPLY`, `comet_supply` and `comet-supply` are `CometSupply`: names of schemas and operations. */
export function pascalCase(text: string): string {
  return text
    .toLowerCase()
    .split(/[_-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
