/** Ids of required plugins, or version ranges by id, `{ organization: '^1.2' }`, where not every version works. */
export type PluginDependencies = readonly string[] | Readonly<Record<string, string>>;

/** Version and compatibility of a plugin. */
export interface PluginVersionInfo {
  readonly id: string;
  /** Defaults to the kernel's version. */
  readonly version?: string;
  readonly dependencies?: PluginDependencies;
  /** Range of compatible kernel versions; any by default. */
  readonly engine?: string;
}

const isList = (dependencies: PluginDependencies): dependencies is readonly string[] => Array.isArray(dependencies);
/** Returns the version ranges of the dependencies that have one. */
export const rangesOf = (dependencies: PluginDependencies = []): [id: string, range: string][] => (isList(dependencies) ? [] : Object.entries(dependencies));

/** Returns the ids of the dependencies, regardless of the version. */
export const dependencyIds = (dependencies: PluginDependencies = []): readonly string[] => (isList(dependencies) ? dependencies : Object.keys(dependencies));

/** Returns true for a plugin that declares anything to compare versions with. */
export const declaresVersions = ({ version, dependencies, engine }: PluginVersionInfo): boolean =>
  version !== undefined || engine !== undefined || rangesOf(dependencies).length > 0;
