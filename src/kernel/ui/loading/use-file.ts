import { type ComponentType, useEffect, useState } from 'react';

/** Loads the file of a component. */
export type LoadFile = () => Promise<{ readonly default: ComponentType }>;

const loaded = new WeakMap<LoadFile, ComponentType>();

/** Loads the file of a component, which `useFile` then returns at once. */
export async function loadFile(load: LoadFile): Promise<ComponentType> {
  const file = (await load()).default;
  loaded.set(load, file);
  return file;
}

/**
 * Returns the component of a file; undefined while it is loaded. A file that cannot be loaded throws, and the next mount tries again. Nothing suspends, because React
 * keeps a fallback for 300 ms even if the file follows at once.
 */
export function useFile(load: LoadFile): ComponentType | undefined {
  const [state, setState] = useState<{ readonly file?: ComponentType; readonly failure?: unknown }>(() => ({ file: loaded.get(load) as ComponentType }));
  const isMissing = state.file === undefined;
  useEffect(() => {
    if (!isMissing) return;
    let isWanted = true;
    loadFile(load).then(
      (file) => isWanted && setState({ file }),
      (failure: unknown) => isWanted && setState({ failure }),
    );
    return () => {
      isWanted = false;
    };
  }, [load, isMissing]);
  if (state.failure !== undefined) throw state.failure;
  return state.file;
}
