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

interface Node {
  readonly listeners: Set<() => void>;
  readonly children: Map<string, Node>;
}

const createNode = (): Node => ({ listeners: new Set(), children: new Map() });

/** Subscriptions to paths of a state. A change notifies those above it, at it and below it, and none beside it. */
export class PathSubscriptions {
  private readonly root = createNode();

  add(path: StatePath, wake: () => void): () => void {
    const nodes = [this.root];
    for (const key of path) nodes.push(childNode(nodes.at(-1) as Node, String(key)));
    nodes.at(-1)?.listeners.add(wake);
    return () => {
      nodes.at(-1)?.listeners.delete(wake);
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
      for (const wake of node.listeners) concerned.add(wake);
      node = node.children.get(String(key));
      if (!node) return;
    }
    collectDescendants(node, concerned);
  }
}

function childNode(node: Node, key: string): Node {
  const existing = node.children.get(key);
  if (existing) return existing;
  const made = createNode();
  node.children.set(key, made);
  return made;
}

function prune(parent: Node, key: string): void {
  const node = parent.children.get(key);
  if (node && node.listeners.size === 0 && node.children.size === 0) parent.children.delete(key);
}

function collectDescendants(node: Node, concerned: Set<() => void>): void {
  for (const wake of node.listeners) concerned.add(wake);
  for (const below of node.children.values()) collectDescendants(below, concerned);
}
