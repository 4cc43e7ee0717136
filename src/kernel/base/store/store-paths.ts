/** Path of a value in a state; list indexes are keys like any other. */
export type StatePath = readonly (string | number)[];

/** Type of the value at a path, with `undefined` where the path may not exist. */
export type At<State, Path extends StatePath> = Path extends readonly [infer Key, ...infer Rest extends StatePath] ? At<Step<State, Key>, Rest> : State;
type Step<State, Key> = State extends readonly (infer Item)[] ? Item | undefined : Key extends keyof State ? State[Key] : undefined;

/** Reads the value at a path. */
export function valueAt(state: unknown, path: StatePath): unknown {
  let value = state;
  for (const key of path) value = (value as Record<string | number, unknown> | null | undefined)?.[key];
  return value;
}

interface Node {
  readonly wakes: Set<() => void>;
  readonly below: Map<string, Node>;
}

const empty = (): Node => ({ wakes: new Set(), below: new Map() });

/** Subscriptions to paths of a state. A change notifies those above it, at it and below it, and none beside it. */
export class PathWatch {
  private readonly root = empty();

  add(path: StatePath, wake: () => void): () => void {
    const nodes = [this.root];
    for (const key of path) nodes.push(grown(nodes.at(-1) as Node, String(key)));
    nodes.at(-1)?.wakes.add(wake);
    return () => {
      nodes.at(-1)?.wakes.delete(wake);
      for (let depth = path.length; depth > 0; depth--) prune(nodes[depth - 1] as Node, String(path[depth - 1]));
    };
  }

  /** Calls each affected subscriber once, in the order of subscription. */
  changed(paths: readonly StatePath[]): void {
    const concerned = new Set<() => void>();
    for (const path of paths) this.collect(path.at(-1) === 'length' ? path.slice(0, -1) : path, concerned);
    for (const wake of concerned) wake();
  }

  private collect(path: StatePath, concerned: Set<() => void>): void {
    let node: Node | undefined = this.root;
    for (const key of path) {
      for (const wake of node.wakes) concerned.add(wake);
      node = node.below.get(String(key));
      if (!node) return;
    }
    collectBelow(node, concerned);
  }
}

function grown(node: Node, key: string): Node {
  const existing = node.below.get(key);
  if (existing) return existing;
  const made = empty();
  node.below.set(key, made);
  return made;
}

function prune(parent: Node, key: string): void {
  const node = parent.below.get(key);
  if (node && node.wakes.size === 0 && node.below.size === 0) parent.below.delete(key);
}

function collectBelow(node: Node, concerned: Set<() => void>): void {
  for (const wake of node.wakes) concerned.add(wake);
  for (const below of node.below.values()) collectBelow(below, concerned);
}
