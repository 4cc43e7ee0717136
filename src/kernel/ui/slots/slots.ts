import { useMemo, useSyncExternalStore } from 'react';
import { BehaviorSubject } from 'rxjs';
import type { LocalizedText } from '#shared/text';
import type { Services } from '../../base/container/services.ts';
import { useService } from '../../base/react/services.tsx';

/** An extension point of the console; its contributions have one type. */
export interface Slot<Part> {
  readonly name: string;
  /** Carries the type of the contributions only; never set. */
  readonly part?: Part;
}

/** Declares a slot. */
export const slot = <Part>(name: `${string}:${string}`): Slot<Part> => ({ name });

/** One contribution to a slot, as a plugin's definition lists it. */
export interface Contribution {
  readonly slot: Slot<unknown>;
  readonly part: unknown;
}

/** Contributes to a slot while the plugin runs. */
export const contribute = <Part>(into: Slot<Part>, part: Part): Contribution => ({ slot: into, part });

/** A contribution of a running plugin with the services provided to it. */
export interface RegisteredContribution extends Contribution {
  readonly pluginId: string;
  readonly pluginTitle: LocalizedText;
  readonly services: Services;
}

/** A contribution as its slot lists it. */
export interface SlotContribution<Part> {
  /** Stable while its plugin runs, and unique in this slot. */
  readonly key: string;
  readonly part: Part;
  readonly pluginId: string;
  readonly pluginTitle: LocalizedText;
  readonly services: Services;
}

const noContributions: readonly SlotContribution<unknown>[] = [];

/** Contributions of running plugins to slots, in the order in which the plugins start. */
export class Slots {
  private readonly bySlot = new BehaviorSubject<ReadonlyMap<string, readonly SlotContribution<unknown>[]>>(new Map());

  readonly changes$ = this.bySlot.asObservable();

  constructor(
    /** Reports a contribution that failed. */
    readonly report: (pluginId: string, error: unknown) => void,
  ) {}

  in<Part>(slot: Slot<Part>): readonly SlotContribution<Part>[] {
    return (this.bySlot.value.get(slot.name) ?? noContributions) as readonly SlotContribution<Part>[];
  }

  /** Returns the current contributions of all slots, by the slot's name. */
  get all(): ReadonlyMap<string, readonly SlotContribution<unknown>[]> {
    return this.bySlot.value;
  }

  /** Replaces all contributions. The array of an unchanged slot stays the same object. */
  setContributions(contributions: readonly RegisteredContribution[]): void {
    if (contributions.length === 0 && this.bySlot.value.size === 0) return;
    const next = new Map<string, SlotContribution<unknown>[]>();
    const counts = new Map<string, number>();
    for (const { slot, ...contribution } of contributions) {
      const key = `${slot.name} ${contribution.pluginId}`;
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      const inSlot = next.get(slot.name) ?? [];
      next.set(slot.name, inSlot);
      inSlot.push({ key: `${contribution.pluginId}.${count}`, ...contribution });
    }
    this.bySlot.next(new Map([...next].map(([name, inSlot]) => [name, reuseIfEqual(this.bySlot.value.get(name), inSlot)])));
  }

  dispose(): void {
    this.bySlot.complete();
  }
}

function reuseIfEqual(
  before: readonly SlotContribution<unknown>[] = noContributions,
  after: readonly SlotContribution<unknown>[],
): readonly SlotContribution<unknown>[] {
  const isSame =
    before.length === after.length && before.every(({ part, services }, index) => part === after[index]?.part && services === after[index]?.services);
  return isSame ? before : after;
}

/** Returns the contributions of a slot; the component renders again when they change. */
export function useSlot<Part>({ name }: Slot<Part>): readonly SlotContribution<Part>[] {
  const slots = useService(Slots);
  const source = useMemo(() => {
    const subscribe = (changed: () => void) => {
      const subscription = slots.changes$.subscribe(changed);
      return () => subscription.unsubscribe();
    };
    return { subscribe, read: () => slots.in<Part>({ name }) };
  }, [slots, name]);
  return useSyncExternalStore(source.subscribe, source.read);
}
