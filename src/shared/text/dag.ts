/** Dependency graph of jobs. An edge leads from a job to the one that depends on it. */
export interface Dag {
  readonly nodes: readonly { readonly nodeId: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

/** Returns for each node id the longest number of steps before it, or undefined where the graph has a cycle. */
export function depthsOf({ nodes, edges }: Dag): ReadonlyMap<string, number> | undefined {
  const depths = new Map<string, number>();
  let remaining = nodes.map(({ nodeId }) => nodeId);
  while (remaining.length > 0) {
    const ready = remaining.filter((id) => edges.every(({ from, to }) => to !== id || depths.has(from)));
    if (ready.length === 0) return undefined;
    for (const id of ready) depths.set(id, Math.max(0, ...edges.filter(({ to }) => to === id).map(({ from }) => (depths.get(from) ?? 0) + 1)));
    const done = new Set(ready);
    remaining = remaining.filter((id) => !done.has(id));
  }
  return depths;
}

/** Returns true if an edge between two nodes would create a cycle. */
export const closesCycle = (dag: Dag, from: string, to: string): boolean =>
  from === to || depthsOf({ ...dag, edges: [...dag.edges, { from, to }] }) === undefined;
