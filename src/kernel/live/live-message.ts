/** An event as it came; without an id it is not part of what is resumed. */
export interface LiveMessage {
  readonly id?: string | undefined;
  readonly name: string;
  readonly payload: unknown;
}

/** Whether one id was born after another: both are decimal text without leading zeros. */
export function isAfter(id: string, other: string): boolean {
  return id.length === other.length ? id > other : id.length > other.length;
}
