import { Object as Shape, type Static, type TSchema, type TUnsafe, Unsafe } from 'typebox';

/** A row with those below it; `children` is left out where there are none. */
export type Branch<Row> = Row & { children?: Branch<Row>[] };

let described = 0;

/** The JSON Schema of a forest: the same fields at every depth, and no others. */
export function TreeOf<Row extends TSchema>(row: Row): TUnsafe<Branch<Static<Row>>[]> {
  const { properties = {} } = row as { properties?: object };
  described += 1;
  const name = `Branch${described}`;
  const children = { type: 'array', items: { $ref: name } };
  return Unsafe({ type: 'array', items: { ...row, $id: name, properties: { ...properties, children } } });
}

const text = Unsafe<string>({ type: 'string' });

/** A row to pick from a tree: what it is called, and its id under the three names by which clients of the family know it. */
export const TreeNode = Shape({ id: text, parentId: text, title: text, value: text, key: text });
export type TreeNode = Static<typeof TreeNode>;

interface Placed {
  readonly id: string;
  readonly parentId: string;
}

/** Rows as a forest, siblings in the order given. A row whose parent is not among them stands at the top. */
export function treeOf<Row extends Placed>(rows: readonly Row[]): Branch<Row>[] {
  const branches = new Map<string, Branch<Row>>(rows.map((row) => [row.id, { ...row }]));
  const top: Branch<Row>[] = [];
  for (const branch of branches.values()) {
    const parent = branch.parentId === branch.id ? undefined : branches.get(branch.parentId);
    if (!parent) top.push(branch);
    else if (parent.children) parent.children.push(branch);
    else parent.children = [branch];
  }
  return top;
}

/** Rows as nodes to pick from, called by what the field named holds. */
export function nodesOf<Name extends string, Row extends Placed & Readonly<Record<Name, string>>>(rows: readonly Row[], title: Name): Branch<TreeNode>[] {
  return treeOf(rows.map(({ id, parentId, [title]: called }) => ({ id, parentId, title: called as string, value: id, key: id })));
}
