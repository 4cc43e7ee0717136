import { Memory } from './memory.ts';

/** Where every thousandth row stands in one order, and the state of the table in which that was true. */
export interface Road {
  readonly changes: number;
  /** Sort value (as text) and id of the rows at ranks 0, `milestoneStep`, 2 × `milestoneStep`, … in ascending order. */
  readonly stones: readonly { readonly key: string; readonly id: string }[];
}

export const milestoneStep = 1000;

const roadsKept = 64;

/** The roads of one table. One is worth building once a second walk has found the table unchanged. */
export class Milestones {
  private readonly roads = new Memory<Road>(roadsKept);
  private readonly walks = new Memory<number>(roadsKept);
  private readonly building = new Set<string>();

  /** The road of this name, if the table is still as it was. */
  find(name: string, changes: number): Road | undefined {
    const road = this.roads.get(name);
    return road?.changes === changes ? road : undefined;
  }

  /** Called for each page that had to be walked to. */
  walked(name: string, changes: number, build: () => Promise<Road>): void {
    const worthIt = this.walks.get(name) === changes;
    this.walks.set(name, changes);
    if (!worthIt || this.building.has(name)) return;
    this.building.add(name);
    build()
      .then((road) => this.roads.set(name, road))
      // The next page is walked to as this one was.
      .catch(() => undefined)
      .finally(() => this.building.delete(name));
  }
}
