/** Ids of required plugins, or version ranges by id, `{ organization: '^1.2' }`, where not every version works. */
export type PluginDependencies = readonly string[] | Readonly<Record<string, string>>;

/** Version and compatibility of a plugin. */
export interface PluginVersionInfo {
  readonly id: string;
  /** Defaults to the kernel's version. */
  readonly version?: string;
  readonly needs?: PluginDependencies;
  /** Range of compatible kernel versions; any by default. */
  readonly engine?: string;
}

const isList = (needs: PluginDependencies): needs is readonly string[] => Array.isArray(needs);
/** Returns the version ranges of the dependencies that have one. */
export const rangesOf = (needs: PluginDependencies = []): [id: string, range: string][] => (isList(needs) ? [] : Object.entries(needs));

/** Returns the ids of the dependencies, regardless of the version. */
export const neededIds = (needs: PluginDependencies = []): readonly string[] => (isList(needs) ? needs : Object.keys(needs));

/** Returns true for a plugin that declares anything to compare versions with. */
export const asksForVersions = ({ version, needs, engine }: PluginVersionInfo): boolean =>
  version !== undefined || engine !== undefined || rangesOf(needs).length > 0;
