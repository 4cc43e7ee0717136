/** A release: its version, and the digest of the signature of each export. */
interface Release {
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
}
export function apiSignatures(folder?: string): Record<string, string>;
export function apiProblems(version: string, given?: { released?: Release; signatures?: Readonly<Record<string, string>> }): string[];
