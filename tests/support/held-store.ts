import type { Readable } from 'node:stream';
import { DiskStore } from '../../src/server/platform/files/disk-store.ts';

/** Object store for tests that records removals and can be made unavailable. */
export class RecordingStore extends DiskStore {
  readonly removed: string[] = [];
  isAway = false;

  constructor(directory = '/nowhere') {
    super(directory);
  }

  override async remove(key: string): Promise<void> {
    this.assertAvailable();
    this.removed.push(key);
    await super.remove(key);
  }

  override async put(key: string, content: Readable): Promise<void> {
    this.assertAvailable();
    await super.put(key, content);
  }

  private assertAvailable(): void {
    if (this.isAway) throw new Error('the store is unavailable');
  }
}
