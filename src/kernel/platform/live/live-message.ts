/** An event as received. A stream cannot be resumed after an event without an id. */
export interface LiveMessage {
  readonly id?: string | undefined;
  readonly name: string;
  readonly payload: unknown;
}

/** Compares two ids, which are decimal numbers without leading zeros; returns true if the first is the later one. */
export function isAfter(id: string, other: string): boolean {
  return id.length === other.length ? id > other : id.length > other.length;
}
