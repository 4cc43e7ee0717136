import { useMemo } from 'react';
import { MittBus } from '../base/bus/mitt-bus.ts';
import { Container } from '../base/container/container.ts';
import { useService } from '../base/react/services.tsx';
import { useStream } from '../base/react/use-stream.ts';
import { PluginHost } from '../host/plugin-host/plugin-host.ts';
import { MenuTree } from '../platform/menu/menu.ts';
import { Slots } from '../ui/slots/slots.ts';
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
