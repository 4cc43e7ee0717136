import { useMemo, useSyncExternalStore } from 'react';
import { useService } from '../../base/react/services.tsx';
import type { Slot } from './slot.ts';
import { type SlotContribution, Slots } from './slots.ts';

/** Returns the contributions of a slot; the component renders again when they change. */
export function useSlot<Part>({ name }: Slot<Part>): readonly SlotContribution<Part>[] {
  const slots = useService(Slots);
  const { subscribe, read } = useMemo(() => {
    const wake = (changed: () => void) => {
      const subscription = slots.changes$.subscribe(changed);
      return () => subscription.unsubscribe();
    };
    return { subscribe: wake, read: () => slots.in<Part>({ name }) };
  }, [slots, name]);
  return useSyncExternalStore(subscribe, read);
}
