import { useMemo } from 'react';
import { Container } from '../container.ts';
import { MenuTree } from '../menu/menu.ts';
import { MittBus } from '../mitt-bus.ts';
import { PluginHost } from '../plugin-host/plugin-host.ts';
import { useService } from '../services.tsx';
import { Slots } from '../slots/slots.ts';
import { useStream } from '../use-stream.ts';
import { containersOf, type InspectionSnapshot } from './inspection.ts';

/** Returns the current parts of the console; the component renders again when a plugin, a slot or the menu changes. */
export function useInspected(): InspectionSnapshot {
  const host = useService(PluginHost);
  const slots = useService(Slots);
  const menuTree = useService(MenuTree);
  const bus = useService(MittBus);
  const states = useStream(host.states$, host.states);
  const filled = useStream(slots.changes$, slots.all);
  const menu = useStream(menuTree.state$, menuTree.state);
  return useMemo(() => ({ states, definitions: host.definitions, slots: filled, listeners: bus.listeners, menu }), [states, host, filled, bus, menu]);
}

/** Returns a function that lists the current containers. */
export function useContainers() {
  const host = useService(PluginHost);
  return () =>
    containersOf(
      host.container,
      host.states.flatMap(({ id }) => {
        const container = host.servicesOf(id);
        return container instanceof Container ? [{ id, container }] : [];
      }),
    );
}
