/** An extension point of the console; its contributions have one type. */
export interface Slot<Part> {
  readonly name: string;
  /** Carries the type of the contributions only; never set. */
  readonly part?: Part;
}

/** Declares a slot. */
export const slot = <Part>(name: `${string}:${string}`): Slot<Part> => ({ name });

/** One contribution to a slot, as a plugin's definition lists it. */
export interface Contribution {
  readonly slot: Slot<unknown>;
  readonly part: unknown;
}

/** Contributes to a slot while the plugin runs. */
export const contribute = <Part>(into: Slot<Part>, part: Part): Contribution => ({ slot: into, part });
