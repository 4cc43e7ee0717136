/** An event as received; one without an id cannot be resumed from. */
export interface LiveMessage {
  readonly id?: string | undefined;
  readonly name: string;
  readonly payload: unknown;
}

/** Compares two ids, decimal texts without leading zeros; true when the first is later. */
export function isAfter(id: string, other: string): boolean {
  return id.length === other.length ? id > other : id.length > other.length;
}
