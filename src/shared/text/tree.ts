import type { Static, TSchema, TUnsafe } from 'typebox';
import * as Type from 'typebox';

/** A row with its children; `children` is omitted where there are none. */
export type Branch<Row> = Row & { children?: Branch<Row>[] };

let schemaCount = 0;

/** Builds the JSON Schema of a forest: the same fields at every depth, and no others. */
export function TreeOf<Row extends TSchema>(row: Row): TUnsafe<Branch<Static<Row>>[]> {
  const { properties = {} } = row as { properties?: object };
  schemaCount += 1;
  const name = `Branch${schemaCount}`;
  const children = { type: 'array', items: { $ref: name } };
  return Type.Unsafe({ type: 'array', items: { ...row, $id: name, properties: { ...properties, children } } });
}

const text = Type.Unsafe<string>({ type: 'string' });

/** Node of a selection tree: the title, and the id under the three names that BladeX-compatible clients use. */
export const TreeNode = Type.Object({ id: text, parentId: text, title: text, value: text, key: text });
export type TreeNode = Static<typeof TreeNode>;

interface ParentedNode {
  readonly id: string;
  readonly parentId: string;
}

/** Builds a forest of rows; siblings keep their order. A row whose parent is not among them is at the top. */
export function treeOf<Row extends ParentedNode>(rows: readonly Row[]): Branch<Row>[] {
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

/** Builds selection nodes of rows, with the value of the named field as title. */
export function nodesOf<Name extends string, Row extends ParentedNode & Readonly<Record<Name, string>>>(
  rows: readonly Row[],
  titleField: Name,
): Branch<TreeNode>[] {
  return treeOf(rows.map(({ id, parentId, [titleField]: title }) => ({ id, parentId, title: title as string, value: id, key: id })));
}
