import type { PackageRights } from './package-rights.ts';

/** A package that was uploaded, before it is installed. */
export interface UploadedPackage {
  readonly digest: string;
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly description: string;
  readonly author: string;
  /** Changes of this version, in the words of its author. */
  readonly changes: string[];
  /** Name of the key that has signed it; absent without a signature. */
  readonly signer?: string;
  readonly hasConsole: boolean;
  readonly hasServer: boolean;
  /** True if its server half runs in a process of its own, which reaches its own tables and the ports that it is granted. */
  readonly isContained: boolean;
  readonly rights: PackageRights;
  /** Version of the plugin that runs now; absent for a new plugin. */
  readonly installedVersion?: string;
}

/** A plugin that runs from a package. */
export interface InstalledPackage {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  /** Changes of this version, in the words of its author. */
  readonly changes: string[];
  readonly isContained: boolean;
  readonly signer?: string;
  /** Version to which it can return. */
  readonly previousVersion?: string;
}

/** Data of a plugin that runs from a package. */
export interface PackageData {
  readonly tables: { readonly name: string; readonly rows: number }[];
  /** Tables of others that refer to them, so that they cannot be dropped. */
  readonly holders: { readonly table: string; readonly target: string }[];
}

/** A console half that a server delivers from a package. */
export interface DeliveredConsole {
  readonly id: string;
  readonly digest: string;
  /** Digest of its manifest, as browsers check it. */
  readonly integrity: string;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Packages of plugins that are added to a running deployment. Every change takes effect on all servers without a restart. */
export abstract class PluginPackages {
  /** Packages that this deployment accepts: none, those signed by a key of PLUGIN_KEYS, or any. */
  abstract readonly accepted: 'none' | 'signed' | 'any';
  /** Plugins that run from packages, or whose package this server could not start. */
  abstract list(): Promise<readonly InstalledPackage[]>;
  /** Reads and stores a package. Throws a `PackageError` for one that cannot be installed. */
  abstract upload(archive: Buffer): Promise<UploadedPackage>;
  /** Installs an uploaded package, or the update that it is. Throws a `PackageError`, and leaves the version before it running, if it does not start. */
  abstract install(digest: string): Promise<void>;
  /** Returns a plugin to the version that ran before the last installation. */
  abstract revert(id: string): Promise<void>;
  /** Lists the tables of a plugin with their rows, and what keeps them from being dropped. */
  abstract dataOf(id: string): Promise<PackageData>;
  /** Takes a plugin out. Its tables stay, unless its data is removed too. Throws a `PackageError` if other plugins depend on it or on its rows. */
  abstract remove(id: string, withData: boolean): Promise<void>;
}
