import { type ComponentType, useEffect, useState } from 'react';

/** Loads the module of a component. */
export type ComponentLoader = () => Promise<{ readonly default: ComponentType }>;

const loaded = new WeakMap<ComponentLoader, ComponentType>();

/** Loads a component, so that `useLoadedComponent` returns it at once. */
export async function loadComponent(load: ComponentLoader): Promise<ComponentType> {
  const component = (await load()).default;
  loaded.set(load, component);
  return component;
}

/**
 * Returns a component; undefined while it is loading. If it cannot be loaded, the hook throws, and the next mount tries again. It does not use Suspense,
 * because React shows a fallback for at least 300 ms.
 */
export function useLoadedComponent(load: ComponentLoader): ComponentType | undefined {
  const [state, setState] = useState<{ readonly component?: ComponentType; readonly failure?: unknown }>(() => ({
    component: loaded.get(load) as ComponentType,
  }));
  const isMissing = state.component === undefined;
  useEffect(() => {
    if (!isMissing) return;
    let isWanted = true;
    loadComponent(load).then(
      (component) => isWanted && setState({ component }),
      (failure: unknown) => isWanted && setState({ failure }),
    );
    return () => {
      isWanted = false;
    };
  }, [load, isMissing]);
  if (state.failure !== undefined) throw state.failure;
  return state.component;
}
