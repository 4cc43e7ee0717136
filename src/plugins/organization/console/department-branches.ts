import type { ReplyOf } from '#shared/contract';
import type { dept } from '../contract.ts';

export type DepartmentBranch = ReplyOf<typeof dept.tree>[number];

/** Returns branches whose name, or a descendant's name, contains the text; all of them for an empty text. */
export function branchesNamed(branches: readonly DepartmentBranch[], text: string): DepartmentBranch[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [...branches];
  return branches.flatMap((branch) => {
    const { children: below = [], ...alone } = branch;
    if (branch.title.toLowerCase().includes(wanted)) return [branch];
    const children = branchesNamed(below, wanted);
    return children.length > 0 ? [{ ...alone, children }] : [];
  });
}
