/** Prints a line every ten seconds while `parts` names something that is being made. Returns what ends it. */
export function reportProgress(
  parts: () => readonly string[],
  print?: (line: string) => void,
): () => void
