import { LRUCache } from 'lru-cache';

/** A moment in the order in which requests arrive here and rotations are committed here. */
export type Arrival = number;

const remembered = 10_000;

/** Tells which requests had arrived at this server before a rotation was committed by it, however long they then waited for a connection. */
export class RotationRaces {
  private moment = 0;
  private readonly committed = new LRUCache<string, number>({ max: remembered });

  /** Called when a request comes in. */
  arrive(): Arrival {
    this.moment += 1;
    return this.moment;
  }

  /** Called when a rotation of this session has been committed. */
  rotated(sid: string): void {
    this.committed.set(sid, this.arrive());
  }

  /** Whether somebody had arrived before the session's last rotation here; false when none is known. */
  raced(sid: string, arrival: Arrival): boolean {
    return arrival < (this.committed.get(sid) ?? 0);
  }
}
