/** Where every thousandth row stands in one order, and the state of the table in which that was true. */
export interface Road {
  readonly changes: number;
  /** Sort value (as text) and id of the rows at ranks 0, `milestoneStep`, 2 × `milestoneStep`, … in ascending order. */
  readonly stones: readonly { readonly key: string; readonly id: string }[];
}

export const milestoneStep = 1000;

const roadsKept = 64;

/** Remembers the roads of one table, the least used ones forgotten first. A road is worth building once a table has been found unchanged. */
export class Milestones {
  private readonly roads = new Map<string, Road>();
  private readonly visits = new Map<string, number>();
  private readonly building = new Set<string>();

  /** The road of this name, if the table is still as it was. */
  find(name: string, changes: number): Road | undefined {
    const road = this.roads.get(name);
    if (road?.changes !== changes) return undefined;
    this.keep(name, road);
    return road;
  }

  /** Called for each page that had to be walked to; builds when the one before met the same table. */
  visited(name: string, changes: number, build: () => Promise<Road>): void {
    const worthIt = this.visits.get(name) === changes;
    this.visits.delete(name);
    this.visits.set(name, changes);
    forgetBeyond(this.visits, roadsKept);
    if (!worthIt || this.building.has(name)) return;
    this.building.add(name);
    build()
      .then((road) => this.keep(name, road))
      // The next page is walked to as this one was.
      .catch(() => undefined)
      .finally(() => this.building.delete(name));
  }

  private keep(name: string, road: Road): void {
    this.roads.delete(name);
    this.roads.set(name, road);
    forgetBeyond(this.roads, roadsKept);
  }
}

function forgetBeyond(map: Map<string, unknown>, size: number): void {
  for (const name of map.keys()) {
    if (map.size <= size) return;
    map.delete(name);
  }
}
