/** An environment variable of the server; `default` is a value it may be set to, `otherwise` describes what an absent one means. */
export interface Setting {
  readonly name: string;
  readonly default?: string;
  readonly otherwise?: string;
  readonly does: string;
}

export function settings(): Setting[];
export function settingsTable(): string;
