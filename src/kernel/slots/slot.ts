/** A place of the console that plugins may add to; what stands there is of one kind. */
export interface Slot<Part> {
  readonly name: string;
  /** Carries the kind's type only; never set. */
  readonly part?: Part;
}

/** Declares a slot. */
export const slot = <Part>(name: `${string}:${string}`): Slot<Part> => ({ name });

/** One part in one slot, as a plugin's table of contents lists it. */
export interface Filling {
  readonly slot: Slot<unknown>;
  readonly part: unknown;
}

/** Puts a part into a slot as long as the plugin runs. */
export const fill = <Part>(into: Slot<Part>, part: Part): Filling => ({ slot: into, part });
