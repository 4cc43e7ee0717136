import { BehaviorSubject } from 'rxjs';
import type { Words } from '#shared/text';
import type { Services } from '../services.tsx';
import type { Filling, Slot } from './slot.ts';

/** A filling of a running plugin, and the services its part is lent. */
export interface ClaimedFilling extends Filling {
  readonly pluginId: string;
  readonly pluginTitle: Words;
  readonly services: Services;
}

/** A part in its slot. */
export interface Filled<Part> {
  /** Stays the same while its plugin runs, and is nobody else's in this slot. */
  readonly key: string;
  readonly part: Part;
  readonly pluginId: string;
  readonly pluginTitle: Words;
  readonly services: Services;
}

const nothing: readonly Filled<unknown>[] = [];

/** What running plugins have put into slots, in the order in which they start. */
export class Slots {
  private readonly bySlot = new BehaviorSubject<ReadonlyMap<string, readonly Filled<unknown>[]>>(new Map());

  readonly changes$ = this.bySlot.asObservable();

  constructor(
    /** Hears of a part that failed. */
    readonly report: (pluginId: string, error: unknown) => void,
  ) {}

  in<Part>(slot: Slot<Part>): readonly Filled<Part>[] {
    return (this.bySlot.value.get(slot.name) ?? nothing) as readonly Filled<Part>[];
  }

  /** Everything that stands in slots now, by the slot's name. */
  get all(): ReadonlyMap<string, readonly Filled<unknown>[]> {
    return this.bySlot.value;
  }

  /** These are all there are from now on. A slot that stays as it is keeps its list. */
  put(fillings: readonly ClaimedFilling[]): void {
    if (fillings.length === 0 && this.bySlot.value.size === 0) return;
    const next = new Map<string, Filled<unknown>[]>();
    const counts = new Map<string, number>();
    for (const { slot, ...filling } of fillings) {
      const place = `${slot.name} ${filling.pluginId}`;
      const count = counts.get(place) ?? 0;
      counts.set(place, count + 1);
      const filled = next.get(slot.name) ?? [];
      next.set(slot.name, filled);
      filled.push({ key: `${filling.pluginId}.${count}`, ...filling });
    }
    this.bySlot.next(new Map([...next].map(([name, filled]) => [name, kept(this.bySlot.value.get(name), filled)])));
  }

  dispose(): void {
    this.bySlot.complete();
  }
}

function kept(before: readonly Filled<unknown>[] = nothing, after: readonly Filled<unknown>[]): readonly Filled<unknown>[] {
  const same =
    before.length === after.length && before.every(({ part, services }, place) => part === after[place]?.part && services === after[place]?.services);
  return same ? before : after;
}
