import { ApiError } from '#shared/errors';
import { fileProblems } from '#shared/files';
import type { ObjectStore } from './object-store.ts';

/** Stores set up by tenants, besides that of the deployment; rows of files contain the name of their store. */
export abstract class StoreDirectory {
  /** Returns the name of the tenant's store for new files; undefined for that of the deployment. */
  abstract enabledStoreName(tenantId: string): Promise<string | undefined>;
  /** Finds a store of the tenant by name. */
  abstract find(tenantId: string, name: string): Promise<ObjectStore | undefined>;
}

/** Registry of stores: those of the deployment, one of them the default, and those of tenants. */
export class Stores {
  private readonly deploymentStores = new Map<string, ObjectStore>();
  private defaultName = '';
  private directory: StoreDirectory | undefined;

  /** Sets the store for new files of tenants that have not selected one; existing files stay where they are. */
  setDefault(name: string, store: ObjectStore): void {
    this.deploymentStores.set(name, store);
    this.defaultName = name;
  }

  /** Registers the plugin that manages stores of tenants; only one plugin of a deployment may do so. */
  setDirectory(directory: StoreDirectory): void {
    this.directory = directory;
  }

  /** True if a plugin manages stores. */
  get hasDirectory(): boolean {
    return this.directory !== undefined;
  }

  async nameFor(tenantId: string): Promise<string> {
    return (await this.directory?.enabledStoreName(tenantId)) ?? this.defaultName;
  }

  /** Finds a store. Throws if there is none, which happens when files outlive the plugin that provided their store. */
  async find(tenantId: string, name: string): Promise<ObjectStore> {
    const store = this.deploymentStores.get(name) ?? (await this.directory?.find(tenantId, name));
    if (!store) throw new ApiError(fileProblems.storeUnavailable, {}, { cause: new Error(`The object store "${name}" does not exist.`) });
    return store;
  }
}
