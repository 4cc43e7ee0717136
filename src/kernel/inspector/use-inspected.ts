import { useMemo } from 'react';
import { Container } from '../container.ts';
import { MenuTree } from '../menu/menu.ts';
import { MittBus } from '../mitt-bus.ts';
import { PluginHost } from '../plugin-host/plugin-host.ts';
import { useService } from '../services.tsx';
import { Slots } from '../slots/slots.ts';
import { useStream } from '../use-stream.ts';
import { containersOf, type Inspected } from './inspection.ts';

/** What the console consists of now; the component is drawn again when a plugin, a slot or the menu changes. */
export function useInspected(): Inspected {
  const host = useService(PluginHost);
  const slots = useService(Slots);
  const menuTree = useService(MenuTree);
  const bus = useService(MittBus);
  const states = useStream(host.states$, host.states);
  const filled = useStream(slots.changes$, slots.all);
  const menu = useStream(menuTree.state$, menuTree.state);
  return useMemo(() => ({ states, definitions: host.definitions, slots: filled, listeners: bus.listeners, menu }), [states, host, filled, bus, menu]);
}

/** The containers that are there now. */
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
