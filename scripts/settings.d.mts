/** Environment variable of the server; `default` is a possible value, `otherwise` describes the effect where it is not set. */
export interface Setting {
  readonly name: string;
  readonly default?: string;
  readonly otherwise?: string;
  readonly does: string;
}

export function settings(): Setting[];
export function settingsTable(): string;
