import { Refusal } from '#shared/errors';
import { fileProblems } from '#shared/files';
import type { ObjectStore } from './object-store.ts';

/** Stores besides the one of the deployment, set up by tenants; named in the rows of the files they keep. */
export abstract class StoreDirectory {
  /** Where the tenant's new files go; nothing: where the deployment keeps files. */
  abstract chosen(tenantId: string): Promise<string | undefined>;
  /** The store of this name as far as the tenant has it. */
  abstract find(tenantId: string, name: string): Promise<ObjectStore | undefined>;
}

/** Where files are kept: one store of the deployment, and those its tenants have set up. */
export class Stores {
  private readonly own = new Map<string, ObjectStore>();
  private current = '';
  private directory: StoreDirectory | undefined;

  /** From now on new files go here, unless their tenant has chosen; those kept elsewhere stay where they are. */
  keepIn(name: string, store: ObjectStore): void {
    this.own.set(name, store);
    this.current = name;
  }

  /** Tenants choose by this; one plugin of a deployment may say how. */
  chooseBy(directory: StoreDirectory): void {
    this.directory = directory;
  }

  async nameFor(tenantId: string): Promise<string> {
    return (await this.directory?.chosen(tenantId)) ?? this.current;
  }

  /** Refuses where the store is not there now: files are kept for longer than what keeps them may run. */
  async find(tenantId: string, name: string): Promise<ObjectStore> {
    const store = this.own.get(name) ?? (await this.directory?.find(tenantId, name));
    if (!store) throw new Refusal(fileProblems.storeAway, {}, { cause: new Error(`Files are kept in "${name}", which is not there.`) });
    return store;
  }
}
