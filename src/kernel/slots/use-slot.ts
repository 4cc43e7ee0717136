import { useMemo, useSyncExternalStore } from 'react';
import { useService } from '../services.tsx';
import type { Slot } from './slot.ts';
import { type Filled, Slots } from './slots.ts';

/** What stands in a slot now; the component renders again when that changes. */
export function useSlot<Part>(slot: Slot<Part>): readonly Filled<Part>[] {
  const slots = useService(Slots);
  const { subscribe, read } = useMemo(() => {
    const wake = (changed: () => void) => {
      const subscription = slots.changes$.subscribe(changed);
      return () => subscription.unsubscribe();
    };
    return { subscribe: wake, read: () => slots.in(slot) };
  }, [slots, slot]);
  return useSyncExternalStore(subscribe, read);
}
