import { LRUCache } from 'lru-cache';

/** A position in the order in which this server receives requests and commits rotations. */
export type Arrival = number;

const remembered = 10_000;

/** Detects requests that had arrived at this server before it committed a rotation, however long they then waited for a connection. */
export class RotationRaces {
  private moment = 0;
  private readonly committed = new LRUCache<string, number>({ max: remembered });

  /** Records an incoming request. */
  arrive(): Arrival {
    this.moment += 1;
    return this.moment;
  }

  /** Records that a rotation of this session has been committed. */
  rotated(sid: string): void {
    this.committed.set(sid, this.arrive());
  }

  /** Tests whether a request arrived before the session's last rotation here; false if no rotation is known. */
  raced(sid: string, arrival: Arrival): boolean {
    return arrival < (this.committed.get(sid) ?? 0);
  }
}
