/** Ids of plugins that must be there first; by id with a range of versions, `{ organization: '^1.2' }`, where not any will do. */
export type Needs = readonly string[] | Readonly<Record<string, string>>;

/** What a plugin says of its version, and of those it works with. */
export interface Versioned {
  readonly id: string;
  /** The kernel's where it says none. */
  readonly version?: string;
  readonly needs?: Needs;
  /** A range of the kernel's versions; any unless said. */
  readonly engine?: string;
}

const isList = (needs: Needs): needs is readonly string[] => Array.isArray(needs);
/** Ranges by the ids of what is needed, where any are said. */
export const rangesOf = (needs: Needs = []): [id: string, range: string][] => (isList(needs) ? [] : Object.entries(needs));

/** Ids of what must be there first, whatever its version. */
export const neededIds = (needs: Needs = []): readonly string[] => (isList(needs) ? needs : Object.keys(needs));

/** Whether a plugin says anything that has to be compared. */
export const asksForVersions = ({ version, needs, engine }: Versioned): boolean => version !== undefined || engine !== undefined || rangesOf(needs).length > 0;
