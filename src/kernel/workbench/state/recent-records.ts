import type { FoundRecords } from '#shared/record-uses';
import { Store } from '../../base/store/store.ts';
import type { JsonStorage } from '../../platform/browser/storage.ts';

const version = 1;
const maxRecords = 5;

/** A record that was opened from the palette. */
export interface RecentRecord extends Pick<FoundRecords['records'][number], 'id' | 'title' | 'subtitle'>, Pick<FoundRecords, 'entity' | 'menu'> {}

/** Records that the user has opened from the palette, latest first. */
export class RecentRecords extends Store<{ readonly records: readonly RecentRecord[] }> {
  constructor(
    private readonly storage: JsonStorage,
    private readonly name: string,
  ) {
    const stored = storage.read<{ version: number; records: readonly RecentRecord[] }>(name);
    super({ records: stored?.version === version && Array.isArray(stored.records) ? stored.records : [] });
  }

  /** Moves a record to the front of the list, or adds it there. */
  visit({ id, title, subtitle, entity, menu }: RecentRecord): void {
    const others = this.state.records.filter((other) => other.id !== id || other.entity !== entity);
    this.set({ records: [{ id, title, subtitle, entity, menu }, ...others].slice(0, maxRecords) });
    this.storage.write(this.name, { version, records: this.state.records });
  }

  clear(): void {
    this.set({ records: [] });
    this.storage.remove(this.name);
  }
}
