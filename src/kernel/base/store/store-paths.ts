/** Path of a value in a state; list indexes are keys like any other. */
export type StatePath = readonly (string | number)[];

/** Type of the value at a path, with `undefined` where the path may not exist. */
export type ValueAt<State, Path extends StatePath> = Path extends readonly [infer Key, ...infer Rest extends StatePath]
  ? ValueAt<PropertyOf<State, Key>, Rest>
  : State;
type PropertyOf<State, Key> = State extends readonly (infer Item)[] ? Item | undefined : Key extends keyof State ? State[Key] : undefined;

/** Reads the value at a path. */
export function valueAt(state: unknown, path: StatePath): unknown {
  let value = state;
  for (const key of path) value = (value as Record<string | number, unknown> | null | undefined)?.[key];
  return value;
}

interface PathNode {
  readonly listeners: Set<() => void>;
  readonly children: Map<string, PathNode>;
}

const createNode = (): PathNode => ({ listeners: new Set(), children: new Map() });

/** Subscriptions to paths of a state. A change notifies those above it, at it and below it, and none beside it. */
export class PathSubscriptions {
  private readonly root = createNode();

  add(path: StatePath, notify: () => void): () => void {
    const nodes = [this.root];
    for (const key of path) nodes.push(childNode(nodes.at(-1) as PathNode, String(key)));
    nodes.at(-1)?.listeners.add(notify);
    return () => {
      nodes.at(-1)?.listeners.delete(notify);
      for (let depth = path.length; depth > 0; depth--) prune(nodes[depth - 1] as PathNode, String(path[depth - 1]));
    };
  }

  /** Calls each affected subscriber once, in the order of subscription. */
  changed(paths: readonly StatePath[]): void {
    const affected = new Set<() => void>();
    for (const path of paths) this.collect(path.at(-1) === 'length' ? path.slice(0, -1) : path, affected);
    for (const notify of affected) notify();
  }

  private collect(path: StatePath, affected: Set<() => void>): void {
    let node: PathNode | undefined = this.root;
    for (const key of path) {
      for (const notify of node.listeners) affected.add(notify);
      node = node.children.get(String(key));
      if (!node) return;
    }
    collectDescendants(node, affected);
  }
}

function childNode(node: PathNode, key: string): PathNode {
  const existing = node.children.get(key);
  if (existing) return existing;
  const created = createNode();
  node.children.set(key, created);
  return created;
}

function prune(parent: PathNode, key: string): void {
  const node = parent.children.get(key);
  if (node && node.listeners.size === 0 && node.children.size === 0) parent.children.delete(key);
}

function collectDescendants(node: PathNode, affected: Set<() => void>): void {
  for (const notify of node.listeners) affected.add(notify);
  for (const child of node.children.values()) collectDescendants(child, affected);
}
