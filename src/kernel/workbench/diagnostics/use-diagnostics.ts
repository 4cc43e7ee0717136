import { useMemo } from 'react';
import { MittBus } from '../../base/bus/mitt-bus.ts';
import { Container, type DescribedService } from '../../base/container/container.ts';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { Store } from '../../base/store/store.ts';
import { type LoggedStore, storeLog } from '../../base/store/store-log.ts';
import { additionsOf } from '../../crud/page/use-additions.tsx';
import type { Plugin } from '../../host/plugin/plugin.ts';
import type { PluginState } from '../../host/plugin/plugin-state.ts';
import { PluginHost } from '../../host/plugin-host/plugin-host.ts';
import { type MenuState, MenuTree } from '../../platform/menu/menu.ts';
import { type SlotContribution, Slots } from '../../ui/slots/slots.ts';
import { EventLog, type LoggedEvent } from './event-log.ts';

/** A container with its services: the console's own, or a running plugin's. */
export interface DescribedContainer {
  readonly owner: string;
  readonly services: readonly DescribedService[];
}

/** Internals of the running console at one moment. */
export interface Diagnostics {
  readonly states: readonly PluginState[];
  readonly definitions: readonly Plugin[];
  /** Contributions by the name of their slot. */
  readonly slots: ReadonlyMap<string, readonly SlotContribution<unknown>[]>;
  /** Listeners by the name of their event: ids of plugins, `undefined` for the console itself. */
  readonly listeners: ReadonlyMap<string, readonly (string | undefined)[]>;
  readonly menu: MenuState;
  containers(): readonly DescribedContainer[];
  /** Lists the stores; their history is recorded in development only. */
  stores(): readonly LoggedStore[];
  /** Returns the log of events, which begins with the first call. */
  events(): EventLog;
  replay(event: LoggedEvent): void;
}

/** Returns the current internals of the console; the component renders again when a plugin, a slot or the menu changes. */
export function useDiagnostics(): Diagnostics {
  const host = useService(PluginHost);
  const slots = useService(Slots);
  const menuTree = useService(MenuTree);
  const bus = useService(MittBus);
  const states = useStream(host.states$, host.states);
  const contributionsBySlot = useStream(slots.changes$, slots.all);
  const menu = useStream(menuTree.state$, menuTree.state);
  return useMemo(() => {
    const containers = () => containersOf(host);
    return {
      states,
      definitions: host.definitions,
      slots: contributionsBySlot,
      listeners: bus.listeners,
      menu,
      containers,
      stores: () => (process.env.NODE_ENV === 'production' ? storesIn(containers()) : storeLog.stores),
      events: () => EventLog.of(bus),
      replay: ({ event, payload }: LoggedEvent) => bus.emit({ name: event }, payload),
    };
  }, [states, host, contributionsBySlot, bus, menu]);
}

/** Lists the additions to generic screens that have been loaded, with the slot of their screen. */
export const loadedAdditions = (slots: Diagnostics['slots']) =>
  [...slots].flatMap(([slot, contributions]) =>
    additionsOf(contributions).map(({ contribution, addition }) => ({ slot, pluginId: contribution.pluginId, addition })),
  );

function containersOf(host: PluginHost): DescribedContainer[] {
  const plugins = host.states.flatMap(({ id }) => {
    const container = host.servicesOf(id);
    return container instanceof Container ? [{ owner: id, services: container.contents }] : [];
  });
  return [{ owner: 'console', services: host.container.contents }, ...plugins];
}

/** Lists the stores among the services with their current state; their history exists in development only. */
const storesIn = (containers: readonly DescribedContainer[]): LoggedStore[] =>
  containers.flatMap(({ owner, services }) =>
    services.flatMap(({ instance, name }) =>
      instance instanceof Store ? [{ name: `${owner} · ${name}`, history: [{ at: Date.now(), state: instance.state }], restore: () => undefined }] : [],
    ),
  );
