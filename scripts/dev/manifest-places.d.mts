/** A problem of a deployment, with its place where it is known. */
export interface PlacedProblem {
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}

export function problemsOf(error: unknown, paths: readonly string[]): PlacedProblem[];
export function displayPath(path: string): string;
