/** One report of `docs/api`. */
export interface ApiReport {
  readonly file: string;
  readonly text: string;
}

export function apiReports(): ApiReport[];
export function staleReports(): ApiReport[];
export function unknownReports(): string[];
